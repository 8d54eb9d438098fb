import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test, type TestContext } from 'vitest';
import { type ReceivedEvent, startAnalyticsReceiver } from '../../../test/support/analytics-receiver.ts';
import { createTestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { sendRequest, startIdentityApp, TestBrowser } from '../../../test/support/identity.ts';
import type { ServiceSql } from '../database/roles.ts';
import { createLogger } from '../http/logger.ts';
import { deleteMember } from '../identity/delete-member.ts';
import { createAnalytics } from './analytics.ts';
import { writeEvents } from './buffer-events.ts';
import { eventContract } from './contract.ts';
import { hasDoNotTrack } from './do-not-track.ts';
import { type CapturedEvent, deleteMemberEvents, insertEvents, insertMemberEvents, writeChoice } from './queries.ts';
import { createBrowserEvents } from './routes.ts';

const logger = createLogger('silent');
/** A visitor whose browser did not decline analytics. */
const consenting = { declined: false };
const call = { signal: new AbortController().signal } as never;

async function startOutbox(t: TestContext, settings: Parameters<typeof startAnalyticsReceiver>[0] = {}) {
  const db = await createTestDatabase(t);
  await db.owner(`insert into public.all_users (idp_id) values ('user_a'), ('user_demo')`);
  const receiver = await startAnalyticsReceiver(settings);
  t.onTestFinished(() => receiver.close());
  const analytics = createAnalytics({
    sql: db.database.service,
    logger,
    service: { host: receiver.host, apiKey: 'phc_test' },
    accounts: { demoAccountId: 'user_demo' },
  });
  const forward = () => analytics.tasks['forward-analytics']!({} as never, call);
  return { db, receiver, analytics, forward };
}

/** An event of `user_a`. */
const createViewEvent = (): CapturedEvent => ({
  id: randomUUID(),
  idpId: 'user_a',
  event: 'watchlist_viewed',
  properties: {},
  occurredAt: new Date(),
  localOnly: false,
});

test('stores no event and no choice of a member whose deletion has begun', async (t) => {
  const { db } = await startOutbox(t);
  const { service } = db.database;
  await service.transaction(async (tx) => {
    await deleteMember(tx, 'user_a');
    await writeEvents(service, [createViewEvent(), { ...createViewEvent(), idpId: 'user_demo' }]);
    await service.transaction((other) => insertMemberEvents(other, 'user_a', [createViewEvent()]));
    await writeChoice(service, 'user_a', false);
  });
  await writeEvents(service, [createViewEvent()]);
  assert.deepEqual(await db.owner('select idp_id from public.analytics_events'), [{ idp_id: 'user_demo' }]);
  assert.deepEqual(await db.owner('select from public.analytics_choices'), []);
});

test.for([
  { name: 'insertEvents', insert: insertEvents },
  {
    name: 'insertMemberEvents',
    insert: (tx: ServiceSql, events: CapturedEvent[]) => insertMemberEvents(tx, 'user_a', events),
  },
])('deletes an event of $name after the deletion that waits for it', async ({ insert }, t) => {
  const { db } = await startOutbox(t);
  const { service } = db.database;
  let deletion: Promise<void> | undefined;
  await service.transaction(async (tx) => {
    await insert(tx, [createViewEvent()]);
    deletion = service.transaction((sql) => deleteMember(sql, 'user_a', [{ onUserDeleted: deleteMemberEvents }]));
    await eventually(async () => {
      const waiting = await db.owner(
        `select from pg_locks l join pg_database d on d.oid = l.database and d.datname = current_database()
          where l.locktype = 'advisory' and not l.granted`,
      );
      return waiting.length === 1;
    });
  });
  await deletion;
  assert.deepEqual(await db.owner('select from public.analytics_events'), []);
});

test('quarantines a single rejected event and sends the others', async (t) => {
  const isPoisoned = ({ properties }: ReceivedEvent): boolean => properties['item_count'] === 77;
  const { db, receiver, analytics, forward } = await startOutbox(t, { failureInterval: 3, poisoned: isPoisoned });
  const ids = Array.from({ length: 300 }, () => randomUUID());
  const occurredAt = new Date();
  await analytics.record(
    'user_a',
    ids.map((id, i) => ({
      id,
      event: 'watchlist_viewed',
      properties: { item_count: i },
      occurredAt,
    })),
  );
  for (let isUnavailable = true; isUnavailable;)
    isUnavailable = await Promise.resolve(forward()).then(
      () => false,
      () => true,
    );
  assert.deepEqual([...receiver.receivedEvents.keys()].toSorted(), ids.filter((_, i) => i !== 77).toSorted());
  assert.deepEqual(await db.owner('select id, refusal from public.analytics_events where quarantined_at is not null'), [
    { id: ids[77], refusal: 'The analytics service returned 400.' },
  ]);
  const calls = receiver.calls;
  await forward();
  assert.equal(receiver.calls, calls, 'what is quarantined is not sent again');
});

test('writes an event atomically with its change and only once when it is repeated', async (t) => {
  const { db, analytics } = await startOutbox(t);
  const say = (fail: boolean) =>
    db.database.service.transaction(async (tx) => {
      const transactionalEvent = {
        event: 'subscription_started',
        properties: { to_tier: 'pro' },
        transition: 'sub_1 active',
      };
      await analytics.captureInTransaction(tx, 'user_a', [transactionalEvent], consenting);
      if (fail) throw new Error('the change failed');
    });
  await assert.rejects(say(true));
  assert.deepEqual(await db.owner('select event from public.analytics_events'), []);
  await say(false);
  await say(false);
  assert.deepEqual(await db.owner('select event, properties from public.analytics_events'), [
    { event: 'subscription_started', properties: { to_tier: 'pro' } },
  ]);
});

test('forwards no event of the demo account or of a member who opted out', async (t) => {
  const { db, receiver, analytics, forward } = await startOutbox(t);
  for (const idpId of ['user_demo', 'user_a']) analytics.capture(idpId, 'watchlist_viewed', {}, consenting);
  await analytics.close();
  await db.owner(`insert into public.analytics_choices (idp_id, enabled) values ('user_a', false)`);
  await forward();
  await db.owner(`update public.analytics_choices set enabled = true`);
  await forward();
  assert.deepEqual([receiver.calls, receiver.receivedEvents.size], [0, 0]);
  assert.equal((await db.owner('select from public.analytics_events where local_only')).length, 2);
});

test('excludes pending and new events from an opt-out until the next opt-in', async (t) => {
  const { db, receiver, analytics, forward } = await startOutbox(t);
  const say = async (name: string): Promise<void> => {
    analytics.capture('user_a', 'watchlist_sort_changed', { sort: name }, consenting);
    await analytics.close();
    const transactionalEvent = { event: 'subscription_changed', properties: { to_tier: name }, transition: name };
    await analytics.captureInTransaction(db.database.service, 'user_a', [transactionalEvent], consenting);
  };
  await say('waits');
  await writeChoice(db.database.service, 'user_a', false);
  await say('refused');
  await writeChoice(db.database.service, 'user_a', true);
  await writeChoice(db.database.service, 'user_a', true);
  await say('consented');
  await writeChoice(db.database.service, 'user_a', true);
  await forward();
  assert.deepEqual(
    [...receiver.receivedEvents.values()].map(({ properties }) => properties['sort'] ?? properties['to_tier']),
    ['consented', 'consented'],
  );
  assert.equal((await db.owner('select from public.analytics_events')).length, 6, 'all are kept here');
});

test('stores no e-mail address, key or token in a property', async (t) => {
  const { db, analytics } = await startOutbox(t);
  const secrets = {
    mail: 'write to ada@example.com',
    key: 'sk_live_0123456789',
    hash: 'a'.repeat(64),
    session: 'eyJhbGciOi.eyJzdWIi.sig',
    ticket: 'tick_29w83sxmDNGwOuEt',
    related: ['AAPL', 'bob@example.org'],
  };
  analytics.capture('user_a', 'watchlist_viewed', { sort: 'name', ...secrets }, consenting);
  await analytics.close();
  assert.deepEqual(await db.owner('select properties from public.analytics_events'), [
    { properties: { sort: 'name' } },
  ]);
});

const HOUR_MS = 3_600_000;
const createSortEvent = (values: object = {}) => ({
  id: randomUUID(),
  event: 'watchlist_sort_changed',
  properties: { tier: 'pro', sort: 'name', odd: 1, limit: 'many' },
  ...values,
});

/** Starts routes for browser events, and one whose effect records an event, with a member who calls them. */
async function startBrowserEvents(t: TestContext) {
  const app = await startIdentityApp(t, {}, async (http, identity) => {
    const sql = identity.options.database.service;
    const analytics = createAnalytics({ sql, logger });
    await analytics.register!(http);
    await createBrowserEvents({
      sql,
      guards: identity.guards,
      record: analytics.record,
      validateEvent: (event) =>
        Object.hasOwn(eventContract, event) ? undefined : { path: 'event', message: 'is none' },
      isPlausible: (_event, { tier }) => tier === 'pro',
      getServerProperties: async (_member, events) => new Map(events.map((event) => [event, { tier: 'free' }])),
    }).register!(http);
    http.post('/api/effect', { config: { guard: identity.guards.member } as never }, async (request, reply) => {
      const visitor = { declined: hasDoNotTrack(request.headers) };
      analytics.capture(identity.guards.getMember(request).idpId, 'watchlist_reordered', {}, visitor);
      await analytics.close();
      return reply.code(204).send();
    });
  });
  const browser = new TestBrowser(app.url);
  const { sessionId } = await browser.signUp();
  const call = async (method: string, path: string, body: object, headers: Record<string, string> = {}) => {
    const authorization = `Bearer ${await browser.token(sessionId)}`;
    return sendRequest(`${app.url}/api${path}`, method, body, { authorization, ...headers });
  };
  return {
    call,
    sendEvents: async (events: readonly object[], headers?: Record<string, string>) =>
      (await call('POST', '/analytics/events', { events }, headers)).status,
    readStored: () =>
      app.owner<{ properties: object; occurred_at: Date; local_only: boolean }>(
        `select event, properties, occurred_at, local_only from public.analytics_events order by occurred_at, event`,
      ),
  };
}

describe('browser events', () => {
  test('stores an event once by its id, with only the properties of the contract', async (t) => {
    const { sendEvents, readStored } = await startBrowserEvents(t);
    const at = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();
    const events = [
      createSortEvent({ occurred_at: at(-3) }),
      createSortEvent({ occurred_at: at(-2) }),
      createSortEvent({ occurred_at: at(-1), properties: { tier: 'king', sort: 'name' } }),
    ];

    for (const _ of [1, 2]) assert.equal(await sendEvents(events), 202);

    const rows = await readStored();
    assert.deepEqual(
      rows.map(({ properties }) => properties),
      [
        { tier: 'pro', sort: 'name' },
        { tier: 'pro', sort: 'name' },
        { tier: 'free', sort: 'name' },
      ],
      'an implausible value is replaced by the server’s',
    );
    assert.deepEqual(
      rows.map(({ occurred_at }) => occurred_at.toISOString()),
      events.map((event) => (event as { occurred_at?: string }).occurred_at),
    );
  });

  test.for([
    { age: 'more than a week ago', hours: -24 * 30, storedHours: -24 * 7 },
    { age: 'in the future', hours: 24, storedHours: 0 },
  ])('limits the time of an event that occurred $age', async ({ hours, storedHours }, t) => {
    const { sendEvents, readStored } = await startBrowserEvents(t);
    const now = Date.now();
    const event = createSortEvent({ occurred_at: new Date(now + hours * HOUR_MS).toISOString() });

    assert.equal(await sendEvents([event]), 202);

    const [stored] = await readStored();
    assert.ok(Math.abs(stored!.occurred_at.getTime() - (now + storedHours * HOUR_MS)) < HOUR_MS);
  });

  test.for(['sec-gpc', 'dnt'])('stores no event of a browser that sends %s: 1', async (header, t) => {
    const { sendEvents, readStored } = await startBrowserEvents(t);

    assert.equal(await sendEvents([createSortEvent()], { [header]: '1' }), 202);

    assert.deepEqual(await readStored(), []);
  });

  test('never forwards what the service records for a browser that declines', async (t) => {
    const { call, readStored } = await startBrowserEvents(t);

    await call('POST', '/effect', {}, { 'sec-gpc': '1' });
    await call('POST', '/effect', {});

    assert.deepEqual(
      (await readStored()).map(({ local_only }) => local_only),
      [true, false],
    );
  });

  test('stores no event between an opt-out and the next opt-in', async (t) => {
    const { call, sendEvents, readStored } = await startBrowserEvents(t);
    const countAfterEvent = async () => {
      await sendEvents([createSortEvent()]);
      return (await readStored()).length;
    };

    assert.deepEqual((await call('PUT', '/analytics/choice', { enabled: false })).body, { enabled: false });
    assert.equal(await countAfterEvent(), 0);
    assert.equal((await call('PUT', '/analytics/choice', {})).status, 400);
    await call('PUT', '/analytics/choice', { enabled: true });
    assert.equal(await countAfterEvent(), 1);
  });
});
