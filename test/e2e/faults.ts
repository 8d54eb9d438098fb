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

/** Browser errors that these faults cause, for `expected`. */
export const expectedBrowserErrors = [/answer 50[03]/, /status of 50[03]/, /net::ERR/];

/** Lets a test time calls out: pending calls are aborted as after twenty seconds, and no call times out on its own. */
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

/** Injects the fault into every such call until `end` is called. */
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
    // The call is never answered. It times out once the page has sent it.
    await page.evaluate(() => (window as unknown as { timeOut: () => void }).timeOut());
  };
  await page.route(matchesCall, handler);
  return { getFaultCount: () => faultCount, end: () => page.unroute(matchesCall, handler) };
}

/** Ends the session remotely and lets the service detect the end at the next such call. */
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

/** Completes the sign-in dialog over the page. */
async function signInAgain(page: Page, person: Person): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  assert.equal(await dialog.getByLabel('Email').inputValue(), person.email);
  await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password);
  await dialog.getByRole('button', { name: 'Sign in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** Waits for a notice in the uppermost dialog, or else on the page, and closes the notice. */
export async function closeNotice(page: Page, text: string): Promise<void> {
  const notice = page.getByRole('status').locator('div', { hasText: text }).last();
  await notice.waitFor();
  await notice.getByRole('button', { name: 'Close notification' }).click();
  await notice.waitFor({ state: 'detached' });
}

/** Lets the next such call succeed but drops its response. Later calls get their responses. */
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

/** Delays such calls until the test releases them, to be answered or to fail. Later calls are answered. */
export async function delayRequest(
  page: Page,
  call: FailingCall,
): Promise<{ reached: Promise<void>; release: (outcome: 'answered' | 'failed') => void }> {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<'answered' | 'failed'>();
  let isReleased = false;
  await page.route(
    (address) => call.path.test(address.pathname),
    async (route) => {
      if (isReleased || route.request().method() !== call.method) return route.fallback();
      reached.resolve();
      if ((await released.promise) === 'answered') return route.fallback();
      await route.fulfill({
        status: 500,
        json: { code: 'INTERNAL', message: 'Something went wrong on our side; quote the request id.' },
      });
    },
  );
  return {
    reached: reached.promise,
    release(outcome) {
      isReleased = true;
      released.resolve(outcome);
    },
  };
}

/** An action of a member, with the conditions that hold regardless of the fault of its call. */
export interface Flow {
  name: string;
  /** True if the flow meets each fault and an ended session. Other flows meet one fault. */
  everyFault?: true;
  call: FailingCall;
  /** Prepares the dashboard, which an earlier flow may have changed. */
  prepare(page: Page, service: TestService, person: Person): Promise<void>;
  perform(page: Page): Promise<void>;
  /** Asserts that the page announces the fault and keeps what was typed or ordered. */
  assertLost(page: Page, message: string, service: TestService, person: Person): Promise<void>;
  assertDone(page: Page, service: TestService, person: Person): Promise<void>;
}

/**
 * Adds one step for each flow, all by one member on one page, which `startPage` opens. A flow meets its faults one
 * after another and then succeeds. The effect of each fault on each call has tests below the browser:
 * `call-api.test.ts`, `list-mutations.test.ts`, `read-faults.test.ts` and `change-portfolio.test.ts`.
 */
export function testFaultFlows(
  title: string,
  startPage: (page: Page, service: TestService) => Promise<Person>,
  flows: readonly Flow[],
): void {
  const kinds = Object.keys(faults) as Fault[];
  test(`loses nothing of ${title} at a fault`, { tag: '@slow' }, async ({ service, visit }) => {
    const page = await visit({ expected: expectedBrowserErrors });
    await controlTimeouts(page);
    const person = await startPage(page, service);
    for (const [flowIndex, flow] of flows.entries()) {
      const flowFaults = flow.everyFault ? kinds : [kinds[flowIndex % kinds.length]!];
      const stepName = flow.everyFault
        ? 'a 500, a 503, a timeout and an ended session'
        : `a service that ${flowFaults[0]}`;
      await test.step(`loses nothing in “${flow.name}” at ${stepName}`, async () => {
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
