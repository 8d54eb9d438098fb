import assert from 'node:assert/strict';
import type { Page, Route } from '@playwright/test';
import { type Link, makeLink, revokeLink } from '../support/demo-links.ts';
import type { TestService } from '../support/service.ts';
import { someAddress } from '../support/some-address.ts';
import { shows } from './demo-viewer.ts';
import { newPerson, register } from './people.ts';

/** Every state of the entry page, with how it is met. */
export const entryStates = [
  ...(['no-link', 'altered', 'malformed', 'ready', 'refreshed', 'offline', 'unreachable', 'away', 'busy'] as const),
  ...(['opening', 'opened', 'in-demo', 'used', 'interrupted', 'expired', 'revoked', 'unusable'] as const),
  ...(['wrong-account', 'unavailable', 'signed-in'] as const),
] as const;
type EntryState = (typeof entryStates)[number];

/** Called in each state. */
type LookAtEntry = (state: EntryState) => Promise<void>;

/** What a visit to every state causes on purpose. */
export const expectedOnEntryTour = [/answer 503/, /status of 503/, /net::ERR/];

const CLIENT = '**/_idp/v1/client';
const SIGN_IN = '**/_idp/v1/client/sign_ins';
const COMPLETE = '**/api/demo-access/complete';

/** Leads a browser through every state; each is met as a viewer meets it, but for faults of the service. */
export async function tourEntryPage(page: Page, service: TestService, look: LookAtEntry): Promise<void> {
  // A tour sends more than one address may.
  await page.context().setExtraHTTPHeaders({ 'x-forwarded-for': someAddress() });
  const tour = { page, service, look: lookOnce(page, look) };
  await arrive(tour);
  await lookAtTroubles(tour);
  await open(tour);
  await lookAtEndings(tour);
  await register(page, { ...newPerson(), email: `ada.${Date.now().toString(36)}@example.com` });
  await press(tour, await makeLink(service), 'signed-in');
  await page.context().clearCookies();
}

interface Tour {
  page: Page;
  service: TestService;
  /** Waits for the state first; `as` is its name in the list where that is another. */
  look(state: string, as?: EntryState): Promise<void>;
}

const lookOnce =
  (page: Page, look: LookAtEntry): Tour['look'] =>
  async (state, as) => {
    await shows(page, state);
    // The heading of a new state is where reading goes on.
    const focused = await page.evaluate(() => document.activeElement?.tagName);
    if (!['no-link', 'altered', 'malformed', 'ready', 'refreshed'].includes(state))
      assert.equal(focused, state === 'opening' ? 'BUTTON' : 'H1', state);
    await look(as ?? (state as EntryState));
  };

/** What a page shows before anything is pressed. */
async function arrive({ page, service, look }: Tour): Promise<void> {
  await page.goto('/demo-access');
  await look('no-link');
  await goTo(page, '/demo-access%23code=bm90IGEgbGluaw');
  await look('altered');
  await goTo(page, '/demo-access#code=bm90IGEgbGluaw');
  await look('malformed');
  await goTo(page, (await makeLink(service)).path);
  await look('ready');
  await page.reload();
  await look('refreshed');
}

/** What passes, on one link that is still good at the end. */
async function lookAtTroubles({ page, service, look }: Tour): Promise<void> {
  await goTo(page, (await makeLink(service)).path);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Open demo' }).click();
  await look('offline');
  await page.context().setOffline(false);
  const meet = async (handler: (route: Route) => Promise<void>, state: EntryState): Promise<void> => {
    await page.route(CLIENT, handler);
    await page.getByRole('button', { name: 'Try again' }).click();
    await look(state);
    await page.unroute(CLIENT);
  };
  await meet((route) => route.abort(), 'unreachable');
  await meet((route) => route.fulfill({ status: 503, json: { errors: [] } }), 'away');
  await meet((route) => route.fulfill({ status: 429, headers: { 'retry-after': '45' }, json: {} }), 'busy');
}

/** The way through, and what a browser shows that has gone it. */
async function open({ page, service, look }: Tour): Promise<void> {
  const { path } = await makeLink(service);
  await goTo(page, path);
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(COMPLETE, async (route) => {
    await released;
    await route.continue();
  });
  // A navigation that brings nothing leaves the page where it is.
  await page.route('**/dashboard', (route) => route.fulfill({ status: 204 }));
  await page.getByRole('button', { name: 'Open demo' }).click();
  await look('opening');
  release();
  await look('opened');
  await page.unrouteAll({ behavior: 'wait' });
  await goTo(page, (await makeLink(service)).path);
  await page.getByRole('button', { name: 'Open demo' }).click();
  await look('in-demo');
  await page.context().clearCookies();
  await press({ page, service, look }, path, 'used');
}

/** What is final. */
async function lookAtEndings(tour: Tour): Promise<void> {
  const { page, service, look } = tour;
  const interrupted = await makeLink(service);
  await goTo(page, interrupted.path);
  // The answer is lost with the session in it.
  await page.route(SIGN_IN, async (route) => {
    await route.fetch();
    await page.context().clearCookies();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Open demo' }).click();
  await shows(page, 'unreachable');
  await page.unroute(SIGN_IN);
  await page.getByRole('button', { name: 'Try again' }).click();
  await look('used', 'interrupted');

  const expired = await makeLink(service);
  await service.database.owner(
    `update public.demo_access_invitations set expires_at = now() - interval '1 second' where id = $1`,
    [expired.id],
  );
  await press(tour, expired, 'expired');
  const revoked = await makeLink(service);
  await revokeLink(service, revoked.id);
  await press(tour, revoked, 'revoked');
  const [one, other] = [await makeLink(service), await makeLink(service)];
  const mixed = Buffer.from(`${one.id}.${other.ticket}`).toString('base64url');
  await press(tour, `/demo-access#code=${mixed}`, 'unusable');

  const refuse = (status: number, code: string): Promise<unknown> =>
    page.route(COMPLETE, (route) => route.fulfill({ status, json: { code, message: 'Refused.' } }));
  await refuse(403, 'NOT_DEMO_ACCOUNT');
  await press(tour, await makeLink(service), 'wrong-account');
  await page.unroute(COMPLETE);
  await refuse(503, 'NOT_CONFIGURED');
  await press(tour, await makeLink(service), 'unavailable');
  await page.unroute(COMPLETE);
  assert.deepEqual(await signedIn(page), [], 'no page that ends so has left a session');
}

async function press({ page, look }: Tour, link: Link | string, state: EntryState): Promise<void> {
  await goTo(page, typeof link === 'string' ? link : link.path);
  await page.getByRole('button', { name: 'Open demo' }).click();
  await look(state);
}

/** Loads the page anew, also where only the fragment differs. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(path);
}

/** The living sessions of the browser. */
export async function signedIn(page: Page): Promise<string[]> {
  const answer = await page.context().request.get('/_idp/v1/client');
  const { response } = (await answer.json()) as { response: { sessions: { id: string }[] } | null };
  return response?.sessions.map(({ id }) => id) ?? [];
}
