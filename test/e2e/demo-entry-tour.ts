import assert from 'node:assert/strict';
import type { Page, Route } from '@playwright/test';
import { type Link, makeLink, revokeLink } from '../support/demo-links.ts';
import type { TestService } from '../support/service.ts';
import { createRandomAddress } from '../support/random-address.ts';
import { waitForEntryState } from './demo-viewer.ts';
import { createPerson, register } from './people.ts';

/** Every state of the entry page, with how it occurs. */
export const entryStates = [
  ...([
    'no-link',
    'altered',
    'malformed',
    'ready',
    'refreshed',
    'offline',
    'unreachable',
    'server-error',
    'busy',
  ] as const),
  ...(['opening', 'opened', 'in-demo', 'used', 'interrupted', 'expired', 'revoked', 'unusable'] as const),
  ...(['wrong-account', 'unavailable', 'signed-in'] as const),
] as const;
type EntryState = (typeof entryStates)[number];

/** Called in each state. */
type CheckEntryState = (state: EntryState) => Promise<void>;

/** Browser errors that the tour causes on purpose. */
export const expectedOnEntryTour = [/answer 503/, /status of 503/, /net::ERR/];

const CLIENT = '**/_idp/v1/client';
const SIGN_IN = '**/_idp/v1/client/sign_ins';
const COMPLETE = '**/api/demo-access/complete';

/** Visits every state of the entry page as a viewer would, except for injected faults of the service. */
export async function tourEntryPage(page: Page, service: TestService, check: CheckEntryState): Promise<void> {
  // A tour sends more requests than one address may.
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': createRandomAddress() });
  const tour = { page, service, check: checkEachStateOnce(page, check) };
  await tourArrival(tour);
  await tourErrors(tour);
  await tourOpening(tour);
  await tourEndings(tour);
  await register(page, { ...createPerson(), email: `ada.${Date.now().toString(36)}@example.com` });
  await openLink(tour, await makeLink(service), 'signed-in');
  await page.context().clearCookies();
}

interface Tour {
  page: Page;
  service: TestService;
  /** Waits for the state and checks it. `displayedAs` is the page's name of the state where it differs. */
  check(state: string, displayedAs?: EntryState): Promise<void>;
}

const checkEachStateOnce =
  (page: Page, check: CheckEntryState): Tour['check'] =>
  async (state, as) => {
    await waitForEntryState(page, state);
    // Screen readers continue at the heading of a new state.
    const focused = await page.evaluate(() => document.activeElement?.tagName);
    if (!['no-link', 'altered', 'malformed', 'ready', 'refreshed'].includes(state))
      assert.equal(focused, state === 'opening' ? 'BUTTON' : 'H1', state);
    await check(as ?? (state as EntryState));
  };

/** Visits the states of a page before any press. */
async function tourArrival({ page, service, check }: Tour): Promise<void> {
  await page.goto('/demo-access');
  await check('no-link');
  await navigateTo(page, '/demo-access%23code=bm90IGEgbGluaw');
  await check('altered');
  await navigateTo(page, '/demo-access#code=bm90IGEgbGluaw');
  await check('malformed');
  await navigateTo(page, (await makeLink(service)).path);
  await check('ready');
  await page.reload();
  await check('refreshed');
}

/** Visits the temporary errors on one link that is still valid at the end. */
async function tourErrors({ page, service, check }: Tour): Promise<void> {
  await navigateTo(page, (await makeLink(service)).path);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Open demo' }).click();
  await check('offline');
  await page.context().setOffline(false);
  const tourFailedCall = async (handler: (route: Route) => Promise<void>, state: EntryState): Promise<void> => {
    await page.route(CLIENT, handler);
    await page.getByRole('button', { name: 'Try again' }).click();
    await check(state);
    await page.unroute(CLIENT);
  };
  await tourFailedCall((route) => route.abort(), 'unreachable');
  await tourFailedCall((route) => route.fulfill({ status: 503, json: { errors: [] } }), 'server-error');
  await tourFailedCall((route) => route.fulfill({ status: 429, headers: { 'retry-after': '45' }, json: {} }), 'busy');
}

/** Visits the successful way, and the state of a browser that has completed it. */
async function tourOpening({ page, service, check }: Tour): Promise<void> {
  const { path } = await makeLink(service);
  await navigateTo(page, path);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(COMPLETE, async (route) => {
    await released;
    await route.continue();
  });
  // A navigation with 204 leaves the page open.
  await page.route('**/dashboard', (route) => route.fulfill({ status: 204 }));
  await page.getByRole('button', { name: 'Open demo' }).click();
  await check('opening');
  release();
  await check('opened');
  await page.unrouteAll({ behavior: 'wait' });
  await navigateTo(page, (await makeLink(service)).path);
  await page.getByRole('button', { name: 'Open demo' }).click();
  await check('in-demo');
  await page.context().clearCookies();
  await openLink({ page, service, check }, path, 'used');
}

/** Visits the final states. */
async function tourEndings(tour: Tour): Promise<void> {
  const { page, service, check } = tour;
  const interrupted = await makeLink(service);
  await navigateTo(page, interrupted.path);
  // The lost response contained the session.
  await page.route(SIGN_IN, async (route) => {
    await route.fetch();
    await page.context().clearCookies();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Open demo' }).click();
  await waitForEntryState(page, 'unreachable');
  await page.unroute(SIGN_IN);
  await page.getByRole('button', { name: 'Try again' }).click();
  await check('used', 'interrupted');

  const expired = await makeLink(service);
  await service.database.owner(
    `update public.demo_access_invitations set expires_at = now() - interval '1 second' where id = $1`,
    [expired.id],
  );
  await openLink(tour, expired, 'expired');
  const revoked = await makeLink(service);
  await revokeLink(service, revoked.id);
  await openLink(tour, revoked, 'revoked');
  const one = await makeLink(service);
  const other = await makeLink(service);
  const mixedLink = Buffer.from(`${one.id}.${other.ticket}`).toString('base64url');
  await openLink(tour, `/demo-access#code=${mixedLink}`, 'unusable');

  const rejectWith = (status: number, code: string): Promise<unknown> =>
    page.route(COMPLETE, (route) => route.fulfill({ status, json: { code, message: 'Refused.' } }));
  await rejectWith(403, 'NOT_DEMO_ACCOUNT');
  await openLink(tour, await makeLink(service), 'wrong-account');
  await page.unroute(COMPLETE);
  await rejectWith(503, 'NOT_CONFIGURED');
  await openLink(tour, await makeLink(service), 'unavailable');
  await page.unroute(COMPLETE);
  assert.deepEqual(await listActiveSessions(page), [], 'no page that ends so has left a session');
}

async function openLink({ page, check }: Tour, link: Link | string, state: EntryState): Promise<void> {
  await navigateTo(page, typeof link === 'string' ? link : link.path);
  await page.getByRole('button', { name: 'Open demo' }).click();
  await check(state);
}

/** Loads the page again even where only the fragment differs. */
async function navigateTo(page: Page, path: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(path);
}

/** Returns the ids of the browser's active sessions. */
export async function listActiveSessions(page: Page): Promise<string[]> {
  const answer = await page.context().request.get('/_idp/v1/client');
  const { response } = (await answer.json()) as { response: { sessions: { id: string }[] } | null };
  return response?.sessions.map(({ id }) => id) ?? [];
}
