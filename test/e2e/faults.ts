import assert from 'node:assert/strict';
import type { Page, Route } from '@playwright/test';
import { type Fault, faults, errorResponses } from '../support/faults.ts';
import type { TestService } from '../support/service.ts';
import { test } from './fixtures.ts';
import { endSessionRemotely, type Person } from './people.ts';

/** A call of the API that a test makes fail. */
export interface FailingCall {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: RegExp;
}

/** What a browser notes of these faults, for `expected`. */
export const expectedBrowserErrors = [/answer 50[03]/, /status of 50[03]/, /net::ERR/];

/** Lets a test say when calls time out: those under way are given up as after twenty seconds, and none by itself. */
export async function controlTimeouts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const pendingControllers = new Set<AbortController>();
    AbortSignal.timeout = () => {
      const controller = new AbortController();
      pendingControllers.add(controller);
      return controller.signal;
    };
    Object.assign(window, {
      timeOut: () => {
        for (const controller of pendingControllers)
          controller.abort(new DOMException('signal timed out', 'TimeoutError'));
        pendingControllers.clear();
      },
    });
  });
}

/** Makes every such call meet the fault until `end` is called. */
async function injectFault(
  page: Page,
  call: FailingCall,
  fault: Fault,
): Promise<{ getFaultCount: () => number; end: () => Promise<void> }> {
  let faultCount = 0;
  const matchesCall = (address: URL): boolean => call.path.test(address.pathname);
  const handler = async (route: Route): Promise<void> => {
    if (route.request().method() !== call.method) return route.fallback();
    faultCount += 1;
    if (fault !== 'never answers') return route.fulfill(errorResponses[fault]);
    // Never answered. The page gives up, once the request has gone out.
    await page.evaluate(() => (window as unknown as { timeOut: () => void }).timeOut());
  };
  await page.route(matchesCall, handler);
  return { getFaultCount: () => faultCount, end: () => page.unroute(matchesCall, handler) };
}

/** Ends the session elsewhere and lets the service notice it at the next such call. */
async function endSessionAt(page: Page, call: FailingCall): Promise<void> {
  await endSessionRemotely(page);
  let isReported = false;
  await page.route(
    (address) => call.path.test(address.pathname),
    async (route) => {
      if (isReported || route.request().method() !== call.method) return route.fallback();
      isReported = true;
      await route.fulfill({
        status: 401,
        json: { code: 'UNAUTHENTICATED', message: 'Sign in and send the session token.' },
      });
    },
  );
}

/** Answers the dialog over the page. */
async function signInAgain(page: Page, person: Person): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  assert.equal(await dialog.getByLabel('E-mail address').inputValue(), person.email);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** What the page says where it can be read and pressed: in the uppermost dialog, else on the page. Closes it. */
export async function closeNotice(page: Page, text: string): Promise<void> {
  const notice = page.getByRole('status').locator('div', { hasText: text }).last();
  await notice.waitFor();
  await notice.getByRole('button', { name: 'Close this notice' }).click();
  await notice.waitFor({ state: 'detached' });
}

/** Lets the next such call do its work and loses the answer on its way back; calls after it are answered. */
export async function dropResponse(page: Page, call: FailingCall): Promise<void> {
  let isDropped = false;
  await page.route(
    (address) => call.path.test(address.pathname),
    async (route) => {
      if (isDropped || route.request().method() !== call.method) return route.fallback();
      isDropped = true;
      await route.fetch();
      await page.evaluate(() => (window as unknown as { timeOut: () => void }).timeOut());
    },
  );
}

/** Keeps the next such call from the service until it is let go, to be answered or to be refused. */
export async function delayRequest(
  page: Page,
  call: FailingCall,
): Promise<{ reached: Promise<void>; release: (outcome: 'answered' | 'refused') => void }> {
  let markReached = (): void => undefined;
  let release = (_fate: 'answered' | 'refused'): void => undefined;
  const reached = new Promise<void>((resolve) => (markReached = resolve));
  const outcome = new Promise<'answered' | 'refused'>((resolve) => (release = resolve));
  let isDelayed = false;
  await page.route(
    (address) => call.path.test(address.pathname),
    async (route) => {
      if (isDelayed || route.request().method() !== call.method) return route.fallback();
      isDelayed = true;
      markReached();
      if ((await outcome) === 'answered') return route.fallback();
      await route.fulfill({
        status: 500,
        json: { code: 'INTERNAL', message: 'Something went wrong on our side; quote the request id.' },
      });
    },
  );
  return { reached, release: (then) => release(then) };
}

/** Something a member does, and what must be so whatever happens to the call that it takes. */
export interface Flow {
  name: string;
  /** Meets each fault and a session that has ended; other flows meet one fault. */
  everyFault?: true;
  call: FailingCall;
  /** Brings the dashboard, on which another flow may have ended, to where it can be done. */
  prepare(page: Page, service: TestService, person: Person): Promise<void>;
  perform(page: Page): Promise<void>;
  /** The fault is said, and what was typed or ordered stands as it did. */
  assertLost(page: Page, message: string, service: TestService, person: Person): Promise<void>;
  assertDone(page: Page, service: TestService, person: Person): Promise<void>;
}

/**
 * One step for each flow, all of one member on one page, which `begin` opens: a fault, another one for the next, and
 * then it is done. What each fault does to each call is held below the browser, in `call-api.test.ts`,
 * `change-watchlist.test.ts`, `read-faults.test.ts` and `change-investments.test.ts`.
 */
export function testFaultFlows(
  title: string,
  startPage: (page: Page, service: TestService) => Promise<Person>,
  flows: readonly Flow[],
): void {
  const kinds = Object.keys(faults) as Fault[];
  test(`${title}: faults lose nothing`, { tag: '@slow' }, async ({ service, visit }) => {
    const page = await visit({ expected: expectedBrowserErrors });
    await controlTimeouts(page);
    const person = await startPage(page, service);
    for (const [flowIndex, flow] of flows.entries()) {
      const flowFaults = flow.everyFault ? kinds : [kinds[flowIndex % kinds.length]!];
      const stepName = flow.everyFault
        ? 'a 500, a 503, silence and an ended session lose'
        : `a service that ${flowFaults[0]} loses`;
      await test.step(`${flow.name}: ${stepName} nothing`, async () => {
        await flow.prepare(page, service, person);
        for (const fault of flowFaults) {
          const injectedFault = await injectFault(page, flow.call, fault);
          await flow.perform(page);
          await flow.assertLost(page, faults[fault], service, person);
          assert.ok(injectedFault.getFaultCount() > 0, `the call meets a service that ${fault}`);
          await injectedFault.end();
        }
        if (flow.everyFault) await endSessionAt(page, flow.call);
        await flow.perform(page);
        if (flow.everyFault) await signInAgain(page, person);
        await flow.assertDone(page, service, person);
      });
    }
  });
}
