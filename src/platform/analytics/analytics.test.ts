import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { describe, test, type TestContext } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { assertDocumented } from '../../../test/support/documented-responses.ts';
import { startIdentityApp, TestBrowser, sendRequest } from '../../../test/support/identity.ts';
import { connectDatabase } from '../database/connect.ts';
import type { ServiceSql } from '../database/roles.ts';
import { createLogger } from '../http/logger.ts';
import { type Analytics, createAnalytics } from './analytics.ts';
import { createBrowserEvents } from './routes.ts';
import { createEventBuffer } from './buffer-events.ts';
import { forwardEvents } from './forward-events.ts';
import { type CapturedEvent, DAY_LIMIT, insertBrowserEvents, insertEvents, insertMemberEvents } from './queries.ts';

const logger = createLogger('silent');
/** A visitor whose browser did not decline analytics. */
const consenting = { declined: false };
const signal = new AbortController().signal;

type SentEvent = Record<string, unknown>;

/** Starts a database with the member who causes the events. */
async function startDatabase(t: TestContext) {
  const db = await createTestDatabase(t);
  await db.owner(`insert into public.all_users (idp_id) values ('user_a')`);
  return db;
}

/**
 * Starts an analytics service that records accepted requests and responds with `status`, with 400 if a request has an
 * event that `isInvalid`, or never. Each request waits for `beforeResponse`.
 */
async function startService(t: TestContext) {
  const service = {
    host: '',
    apiKey: 'phc_test',
    status: 200,
    location: '',
    silent: false,
    isInvalid: (_event: SentEvent): boolean => false,
    beforeResponse: async (): Promise<void> => {},
    batches: [] as { api_key: string; batch: SentEvent[] }[],
    urls: [] as (string | undefined)[],
  };
  const server = createServer(async (request: IncomingMessage, response) => {
    service.urls.push(`${request.method} ${request.url}`);
    const body = (await json(request)) as (typeof service.batches)[number];
    if (service.silent) return;
    await service.beforeResponse();
    const status = body.batch.some(service.isInvalid) ? 400 : service.status;
    if (status === 200) service.batches.push(body);
    response
      .writeHead(status, {
        'content-type': 'application/json',
        ...(service.location && { location: service.location }),
      })
      .end('{"status":1}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.onTestFinished(() => {
    server.close();
  });
  service.host = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return service;
}

describe('captured events', () => {
  test('are appended in the order of their capture', async (t) => {
    const db = await startDatabase(t);
    const analytics = createAnalytics({ sql: db.database.service, logger });
    const viewed = { feature: 'watchlist', tier: 'free', limit: 20, item_count: 0, locked_count: 0 };
    const clicked = { source: 'dashboard_watchlist_limit', related: ['AAPL'] };
    analytics.capture('user_a', 'watchlist_viewed', viewed, consenting);
    analytics.capture('user_a', 'upgrade_cta_clicked', clicked, consenting);
    await analytics.close();
    const rows = await db.owner(
      `select idp_id, event, properties, forwarded_at from public.analytics_events order by occurred_at, event desc`,
    );
    assert.deepEqual(rows, [
      { idp_id: 'user_a', event: 'watchlist_viewed', properties: viewed, forwarded_at: null },
      { idp_id: 'user_a', event: 'upgrade_cta_clicked', properties: clicked, forwarded_at: null },
    ]);
    assert.deepEqual(
      [Object.keys(analytics.tasks), analytics.schedules.map(({ task }) => task)],
      [['cleanup-analytics'], ['cleanup-analytics']],
      'nothing is forwarded where no service is configured',
    );
  });

  test('neither throw nor block nor fill the memory when the database is unavailable', async (t) => {
    const db = await startDatabase(t);
    const unreachableDatabase = connectDatabase(db.urls);
    await unreachableDatabase.close();
    const analytics = createAnalytics({ sql: unreachableDatabase.service, logger });
    for (let i = 0; i < 20_000; i += 1)
      assert.equal(analytics.capture('user_a', 'watchlist_viewed', {}, consenting), undefined);
    await analytics.close();
  });

  test('are bounded while the database hangs and accepted again afterwards', async () => {
    const { promise: pendingResponse, resolve: respond } = Promise.withResolvers<void>();
    const written: number[] = [];
    const sql = {
      async query(text: string, [first]: [string | string[]]) {
        if (text.startsWith('select')) return [first].flat().map((idpId) => ({ idp_id: idpId, place: null }));
        await pendingResponse;
        written.push((JSON.parse(String(first)) as []).length);
        return [];
      },
      transaction: (work: (tx: ServiceSql) => Promise<void>) => work(sql as unknown as ServiceSql),
    };
    const moment = { id: randomUUID(), occurredAt: new Date(), localOnly: false };
    const event: CapturedEvent = { ...moment, idpId: 'user_a', event: 'watchlist_viewed', properties: {} };
    let lostEvents = 0;
    const buffer = createEventBuffer(sql as unknown as ServiceSql, (_error, events) => {
      lostEvents += events;
    });
    const add = (events: number): void => {
      for (let i = 0; i < events; i += 1) buffer.add(event);
    };
    for (let batch = 0; batch < 4; batch += 1) {
      add(3_000);
      void buffer.close();
    }
    assert.equal(lostEvents, 7_000, 'events that are being written count');
    respond();
    await buffer.close();
    add(1);
    await buffer.close();
    assert.deepEqual([written, lostEvents], [[3_000, 2_000, 1], 7_000]);
  });
});

describe('the forwarder', () => {
  const countWaiting = async (db: TestDatabase) =>
    (await db.owner('select from public.analytics_events where forwarded_at is null')).length;

  test('retries rejected events and sends each once from two workers', async (t) => {
    const db = await startDatabase(t);
    const service = await startService(t);
    const analytics = createAnalytics({ sql: db.database.service, logger, service });
    for (let i = 0; i < 450; i += 1) analytics.capture('user_a', 'watchlist_viewed', { item_count: i }, consenting);
    await analytics.close();

    service.status = 503;
    await assert.rejects(forwardEvents(db.database.service, service, signal), /503/);
    assert.equal(await countWaiting(db), 450);
    service.status = 200;
    await Promise.all([
      forwardEvents(db.database.service, service, signal),
      forwardEvents(db.database.service, service, signal),
    ]);

    assert.equal(await countWaiting(db), 0);
    const sent = service.batches.flatMap(({ batch }) => batch);
    assert.equal(new Set(sent.map(({ uuid }) => uuid)).size, 450);
    assert.equal(sent.length, 450, 'two workers do not send the same event');
  });

  test('stores each result before the next call and has no transaction open during a call', async (t) => {
    const db = await startDatabase(t);
    const service = await startService(t);
    await db.owner(
      `insert into public.analytics_events (idp_id, event, properties, received_at)
       select 'user_a', 'event_' || n, '{}', now() - n * interval '1 minute' from generate_series(1, 8) n`,
    );
    const observations: object[] = [];
    service.isInvalid = ({ event }) => event === 'event_6';
    service.beforeResponse = async () => {
      const [observation] = await db.owner(
        `select (select count(*)::int from public.analytics_events where forwarded_at is not null) as forwarded,
                (select count(*)::int from pg_stat_activity
                  where datname = current_database() and application_name = 'tally'
                    and state like 'idle in transaction%') as transactions`,
      );
      observations.push(observation!);
    };

    await forwardEvents(db.database.service, service, signal);

    // Calls with events 8 to 1, 8 to 5, 8 and 7, 6 and 5, 6, 5, and 4 to 1.
    assert.deepEqual(
      observations,
      [0, 0, 0, 2, 2, 2, 3].map((forwarded) => ({ forwarded, transactions: 0 })),
    );
    assert.deepEqual(await db.owner('select event from public.analytics_events where quarantined_at is not null'), [
      { event: 'event_6' },
    ]);
  });

  test('leaves events that a process has claimed alone until its claim ends', async (t) => {
    const db = await startDatabase(t);
    const service = await startService(t);
    await db.owner(
      `insert into public.analytics_events (idp_id, event, properties, claimed_until)
       values ('user_a', 'watchlist_viewed', '{}', now() + interval '1 hour')`,
    );

    await forwardEvents(db.database.service, service, signal);
    assert.deepEqual(service.batches, []);
    await db.owner('update public.analytics_events set claimed_until = now()');
    await forwardEvents(db.database.service, service, signal);

    assert.equal(service.batches.length, 1);
  });

  test.for([1, 9, 25])('quarantines nothing when the service rejects all of %i events', async (count, t) => {
    const db = await startDatabase(t);
    const service = await startService(t);
    await db.owner(
      `insert into public.analytics_events (idp_id, event, properties)
       select 'user_a', 'watchlist_viewed', '{}' from generate_series(1, $1)`,
      [count],
    );

    service.status = 400;
    await assert.rejects(forwardEvents(db.database.service, service, signal), /rejected events in a row: .*400/);
    assert.deepEqual(await db.owner('select from public.analytics_events where quarantined_at is not null'), []);
    service.status = 200;
    await forwardEvents(db.database.service, service, signal);

    assert.equal(service.batches.flatMap(({ batch }) => batch).length, count);
  });

  test('sends no event of the demo account that arrives while it runs', async (t) => {
    const db = await startDatabase(t);
    const service = await startService(t);
    await db.owner(`insert into public.all_users (idp_id) values ('user_demo')`);
    const add = (idpId: string, count: number) =>
      db.owner(
        `insert into public.analytics_events (idp_id, event, properties)
         select $1, 'watchlist_viewed', '{}' from generate_series(1, $2)`,
        [idpId, count],
      );
    await add('user_a', 200);
    service.beforeResponse = async () => {
      await add('user_demo', 1);
    };

    await forwardEvents(db.database.service, service, signal, 'user_demo');

    const senders = service.batches.flatMap(({ batch }) => batch.map(({ distinct_id }) => distinct_id));
    assert.deepEqual([senders.length, new Set(senders)], [200, new Set(['user_a'])]);
  });

  test('sends events in the service’s format', async (t) => {
    const db = await startDatabase(t);
    const service = await startService(t);
    const analytics = createAnalytics({ sql: db.database.service, logger, service });
    analytics.capture('user_a', 'watchlist_viewed', { item_count: 7 }, consenting);
    await analytics.close();

    await forwardEvents(db.database.service, service, signal);

    assert.equal(service.batches[0]!.api_key, 'phc_test');
    const { uuid, timestamp, ...rest } = service.batches[0]!.batch[0]!;
    assert.deepEqual(rest, {
      event: 'watchlist_viewed',
      distinct_id: 'user_a',
      properties: { item_count: 7, $lib: 'tally', $is_server: true, $geoip_disable: true },
    });
    assert.match(String(uuid), /^[0-9a-f-]{36}$/);
    assert.ok(!Number.isNaN(Date.parse(String(timestamp))));
    assert.deepEqual([...new Set(service.urls)], ['POST /batch/']);
  });

  test('has schedules that forward and delete events', async (t) => {
    const db = await startDatabase(t);
    const analytics = createAnalytics({ sql: db.database.service, logger, service: await startService(t) });

    assert.deepEqual(
      analytics.schedules.map(({ task }) => task),
      ['forward-analytics', 'cleanup-analytics'],
    );
  });

  test('sends events in the order of their arrival when a browser names other times', async (t) => {
    const db = await startDatabase(t);
    const service = await startService(t);
    await db.owner(`insert into public.analytics_events (idp_id, event, properties, received_at, occurred_at)
      select 'user_a', 'event_' || n, '{}', now() - n * interval '1 minute', now() - (10 - n) * interval '1 hour'
        from generate_series(1, 9) n`);
    await forwardEvents(db.database.service, service, signal);
    assert.deepEqual(
      service.batches.map(({ batch }) => batch.map(({ event }) => event)),
      [['event_9', 'event_8', 'event_7', 'event_6', 'event_5', 'event_4', 'event_3', 'event_2', 'event_1']],
    );
  });

  test('sends the events of other members in the first batch when a member has a day of older ones', async (t) => {
    const db = await startDatabase(t);
    const service = await startService(t);
    await db.owner(`insert into public.all_users (idp_id) values ('user_b'), ('user_c')`);
    const createEvent = (occurredAt: Date) => ({
      id: randomUUID(),
      event: 'watchlist_viewed',
      properties: {},
      occurredAt,
      localOnly: false,
    });
    const lastWeek = new Date(Date.now() - 7 * 86_400_000);
    const backdated = Array.from({ length: DAY_LIMIT.events }, () => createEvent(lastWeek));
    await db.database.service.transaction((tx) => insertBrowserEvents(tx, 'user_a', backdated));
    await db.database.service.transaction(async (tx) => {
      await insertMemberEvents(tx, 'user_b', [createEvent(new Date()), createEvent(new Date())]);
      await insertEvents(tx, [{ ...createEvent(new Date()), idpId: 'user_c' }]);
    });

    await forwardEvents(db.database.service, service, signal);

    const firstSenders = service.batches[0]!.batch.map(({ distinct_id }) => distinct_id);
    assert.deepEqual(
      ['user_b', 'user_c'].map((idpId) => firstSenders.filter((sender) => sender === idpId).length),
      [2, 1],
    );
    assert.equal(service.batches.flatMap(({ batch }) => batch).length, DAY_LIMIT.events + 3);
  });

  test('follows no redirect and times out when the service does not respond', async (t) => {
    const db = await startDatabase(t);
    const service = await startService(t);
    const otherService = await startService(t);
    await db.owner(
      `insert into public.analytics_events (idp_id, event, properties, occurred_at)
       values ('user_a', 'watchlist_viewed', '{}', now())`,
    );
    Object.assign(service, { status: 307, location: otherService.host });
    await assert.rejects(forwardEvents(db.database.service, service, signal), TypeError);
    assert.deepEqual(otherService.urls, []);
    service.silent = true;
    const abortController = new AbortController();
    const timer = setTimeout(() => abortController.abort(), 20_000);
    await assert.rejects(forwardEvents(db.database.service, { ...service, timeout: 100 }, abortController.signal), {
      name: 'TimeoutError',
    });
    clearTimeout(timer);
    assert.deepEqual(await db.owner('select event from public.analytics_events where forwarded_at is null'), [
      { event: 'watchlist_viewed' },
    ]);
  });
});

describe('POST /api/analytics/events', () => {
  const sortEvent = { event: 'watchlist_sort_changed', properties: { feature: 'watchlist', sort: 'name' } };

  /** Starts the route with a member. `post` sends a request, with the member's token unless headers are given. */
  async function startEventsRoute(t: TestContext) {
    let analytics!: Analytics;
    const app = await startIdentityApp(t, {}, (http, identity) => {
      analytics = createAnalytics({ sql: identity.options.database.service, logger });
      const events = createBrowserEvents({
        guards: identity.guards,
        sql: identity.options.database.service,
        record: analytics.record,
        validateEvent: (event) =>
          event === 'not_of_browsers' ? { path: 'event', message: 'is no event of a browser' } : undefined,
        getServerProperties: async (_member, events) =>
          new Map(
            events.filter((name) => name === 'list_seen').map((name) => [name, { tier: 'free', limit: undefined }]),
          ),
      });
      return events.register!(http);
    });
    const browser = new TestBrowser(app.url);
    const { userId, sessionId } = await browser.signUp();
    const authorization = `Bearer ${await browser.token(sessionId)}`;
    const post = async (body: object | string, headers: Record<string, string> = { authorization }) => {
      const answer = await sendRequest(`${app.url}/api/analytics/events`, 'POST', body, headers);
      assertDocumented('POST', '/api/analytics/events', answer);
      return answer.status;
    };
    const readStored = async () => {
      await analytics.close();
      return app.owner(
        'select idp_id, event, properties from public.analytics_events order by occurred_at, event desc',
      );
    };
    return { ...app, post, readStored, userId, authorization };
  }

  /** Starts the route. `setDay` sets what the member's browsers have stored on a day. */
  async function startFullDay(t: TestContext) {
    const route = await startEventsRoute(t);
    const { owner, userId } = route;
    await owner('insert into public.all_users (idp_id) values ($1) on conflict do nothing', [userId]);
    const setDay = (day: string, events: number, bytes: number) =>
      owner(
        `insert into public.analytics_days (idp_id, day, events, bytes) values ($1, $2, $3, $4)
         on conflict (idp_id) do update set day = excluded.day, events = excluded.events, bytes = excluded.bytes`,
        [userId, day, events, bytes],
      );
    return {
      ...route,
      setDay,
      today: new Date().toISOString().slice(0, 10),
      countStored: async () => (await owner('select from public.analytics_events')).length,
      readDay: () => owner('select events, bytes from public.analytics_days'),
    };
  }

  const sortEventBytes = JSON.stringify(sortEvent.properties).length;

  test('answers 429 and stores the events that fit when the events or bytes of the day are used up', async (t) => {
    const { post, setDay, countStored, readDay, today } = await startFullDay(t);

    await setDay(today, DAY_LIMIT.events - 1, 0);
    assert.equal(await post({ events: [sortEvent, sortEvent] }), 429);
    assert.equal(await post({ events: [sortEvent] }), 429);
    assert.deepEqual(
      [await countStored(), await readDay()],
      [1, [{ events: DAY_LIMIT.events, bytes: sortEventBytes }]],
    );
    await setDay(today, 0, DAY_LIMIT.bytes - sortEventBytes - 1);
    assert.equal(await post({ events: [sortEvent, sortEvent] }), 429);
    assert.deepEqual([await countStored(), await readDay()], [2, [{ events: 1, bytes: DAY_LIMIT.bytes - 1 }]]);

    await setDay('2026-01-01', DAY_LIMIT.events, DAY_LIMIT.bytes);
    assert.equal(await post({ events: [sortEvent] }), 202);
    assert.deepEqual(await readDay(), [{ events: 1, bytes: sortEventBytes }], 'a new day begins at zero');
  });

  test('counts an event once for the day when it is sent again', async (t) => {
    const { post, setDay, countStored, readDay, today } = await startFullDay(t);
    const event = { ...sortEvent, id: randomUUID() };
    await setDay(today, DAY_LIMIT.events - 1, 0);

    assert.equal(await post({ events: [event, { ...event, id: event.id.toUpperCase() }] }), 202);
    assert.equal(await post({ events: [event] }), 202);

    assert.deepEqual(
      [await countStored(), await readDay()],
      [1, [{ events: DAY_LIMIT.events, bytes: sortEventBytes }]],
    );
  });

  test('stores no more events than the day has left when two requests arrive at once', async (t) => {
    const { post, setDay, countStored, today } = await startFullDay(t);
    await setDay(today, DAY_LIMIT.events - 1, 0);

    const statuses = await Promise.all([post({ events: [sortEvent] }), post({ events: [sortEvent] })]);

    assert.deepEqual([statuses.toSorted(), await countStored()], [[202, 429], 1]);
  });

  test('stores the events of the service when the day of the browsers is used up', async (t) => {
    const { setDay, countStored, readDay, today, database, userId } = await startFullDay(t);
    const fullDay = { events: DAY_LIMIT.events, bytes: DAY_LIMIT.bytes };
    await setDay(today, fullDay.events, fullDay.bytes);
    const analytics = createAnalytics({ sql: database.service, logger });

    await database.service.transaction((tx) => analytics.captureInTransaction(tx, userId, [sortEvent], consenting));
    analytics.capture(userId, sortEvent.event, sortEvent.properties, consenting);
    await analytics.close();

    assert.deepEqual([await countStored(), await readDay()], [2, [fullDay]]);
  });

  test('records events of a signed-in member with the server’s properties', async (t) => {
    const { post, readStored, userId } = await startEventsRoute(t);

    assert.equal(await post({ events: [sortEvent] }), 202);
    const listSeen = { event: 'list_seen', properties: { tier: 'max', limit: 9, sort: 'name' } };
    assert.equal(await post({ events: [listSeen] }), 202);

    assert.deepEqual(await readStored(), [
      { idp_id: userId, ...sortEvent },
      { idp_id: userId, event: 'list_seen', properties: { tier: 'free', sort: 'name' } },
    ]);
  });

  test('rejects malformed and large requests', async (t) => {
    const { post, readStored, authorization } = await startEventsRoute(t);
    const malformed = [
      {},
      { events: [] },
      { events: Array.from({ length: 51 }, () => sortEvent) },
      { events: [{ event: 'Bad Name' }] },
      { events: [sortEvent, { event: 'not_of_browsers' }] },
      { events: [{ ...sortEvent, idp_id: 'user_b' }] },
      { events: [{ event: 'x', properties: { deep: { er: 1 } } }] },
      { events: [{ event: 'x', properties: { long: 'x'.repeat(501) } }] },
      { events: [{ event: 'x', properties: { nul: 'a\0' } }] },
      { events: [{ event: 'x', properties: { half: ['\ud800'] } }] },
    ];
    const large = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`p${i}`, 'x'.repeat(400)]));

    for (const body of malformed) assert.equal(await post(body), 400, JSON.stringify(body).slice(0, 80));
    assert.equal(await post('{', { authorization, 'content-type': 'application/json' }), 400);
    assert.equal(await post('{}'), 415);
    assert.equal(await post({ events: [{ event: 'x', properties: large }] }), 413);

    assert.deepEqual(await readStored(), []);
  });
});
