import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { IMPORTS_PER_DAY } from '../src/features/portfolio/import/routes.ts';
import { DAY_LIMIT } from '../src/platform/analytics/queries.ts';
import { STORED } from '../tools/describe-writes.ts';
import type { TestDatabase } from './support/database.ts';
import { isOwnSchema } from './support/database-lints/own-schemas.ts';
import { type ApiResponse, SITE } from './support/identity.ts';
import { insertTickers } from './support/many-tickers.ts';
import { type SignedIn, signInMember } from './support/member-tables.ts';
import { startService, type TestService } from './support/service.ts';

const ROUNDS = 100;

/**
 * Starts a service, which ends with the test, and signs a member in to it. Its tables keep their dead rows, since
 * PostgreSQL would free some of them during a slow test.
 */
async function startWithMember(t: TestContext) {
  const service = await startService({ WORKER: 'off', BASE_URL: SITE, SANDBOX: 'on', API_RATE_LIMIT: '10000' });
  t.onTestFinished(() => service.stop());
  const { owner } = service.database;
  const tables = await owner<{ name: string }>(
    `select c.oid::regclass::text as name
       from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema} where c.relkind = 'r'`,
  );
  for (const { name } of tables) await owner(`alter table ${name} set (autovacuum_enabled = off)`);
  return { service, member: await signInMember(service) };
}

/** Returns the bytes of a table with its indexes, long values and replaced rows. */
async function readTableSize({ owner }: TestDatabase, table: string): Promise<number> {
  const [size] = await owner<{ bytes: number }>('select pg_total_relation_size($1::regclass)::float8 as bytes', [
    table,
  ]);
  return size!.bytes;
}

/** Returns the bytes of all tables of ours with their indexes, long values and replaced rows. */
async function readAllSizes({ owner }: TestDatabase): Promise<number> {
  const [size] = await owner<{ bytes: number }>(
    `select sum(pg_total_relation_size(c.oid))::float8 as bytes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace and ${isOwnSchema} where c.relkind = 'r'`,
  );
  return size!.bytes;
}

interface Measurement {
  readSize: () => Promise<number>;
  write: (round: number) => Promise<unknown>;
  rounds: number;
}

/**
 * Returns the bytes that a round of writes adds, on average. Rounds before the first reading create the first pages of
 * tables and indexes, which would count otherwise.
 */
async function measureRound({ readSize, write, rounds }: Measurement): Promise<number> {
  for (let round = 0; round < rounds / 10; round += 1) await write(round);
  const before = await readSize();
  for (let round = 0; round < rounds; round += 1) await write(round);
  return ((await readSize()) - before) / rounds;
}

function assertDone({ status, body }: ApiResponse): void {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
}

test(
  'stores no more of a change of the watchlist than documented when its event is counted',
  { tags: ['slow'] },
  async (t) => {
    const { service, member } = await startWithMember(t);
    const addAndRemove = async (): Promise<void> => {
      const added = await member.call('POST', '/api/watchlist', { symbol: 'AAPL' });
      assertDone(added);
      assertDone(await member.call('DELETE', `/api/watchlist/${added.body.item.id}`));
    };
    const readSize = () => readTableSize(service.database, 'public.analytics_events');
    const bytes = (await measureRound({ readSize, write: addAndRemove, rounds: ROUNDS })) / 2;
    assert.ok(bytes > 100 && bytes <= STORED['POST /api/watchlist']!.bytes, `${bytes} bytes`);
  },
);

test('stores no more of browser events than documented when the events are small', { tags: ['slow'] }, async (t) => {
  const { service, member } = await startWithMember(t);
  const properties = { feature: 'watchlist' };
  const events = Array.from({ length: 50 }, () => ({ event: 'watchlist_second_line_changed', properties }));
  // The properties of a day are limited by themselves, so they do not count here.
  const readSize = async (): Promise<number> => {
    const [sent] = await service.database.owner<{ bytes: number }>(
      'select coalesce(sum(length(properties::text)), 0)::int as bytes from public.analytics_events',
    );
    return (await readTableSize(service.database, 'public.analytics_events')) - sent!.bytes;
  };
  const send = async () => assertDone(await member.call('POST', '/api/analytics/events', { events }));
  const bytes = (await measureRound({ readSize, write: send, rounds: 20 })) / events.length;
  const documented = (STORED['POST /api/analytics/events']!.bytes - DAY_LIMIT.bytes) / DAY_LIMIT.events;
  assert.ok(bytes > 100 && bytes <= documented, `${bytes} bytes in addition to the properties`);
});

test(
  'stores no more of a credential than documented when its name is as long as it may be',
  { tags: ['slow'] },
  async (t) => {
    const { service, member } = await startWithMember(t);
    // Three bytes are the most that a UTF-16 unit takes.
    const name = '国'.repeat(120);
    for (const [route, table, body, property] of [
      ['/api/api-keys', 'public.api_keys', { name }, 'api_key'],
      ['/api/assistant/tokens', 'public.assistant_tokens', { name, scopes: ['reports', 'sql'] }, 'assistant_token'],
    ] as const) {
      const createAndRevoke = async (): Promise<void> => {
        const created = await member.call('POST', route, body);
        assertDone(created);
        assertDone(await member.call('DELETE', `${route}/${created.body[property].id}`));
      };
      const readSize = () => readTableSize(service.database, table);
      const bytes = await measureRound({ readSize, write: createAndRevoke, rounds: ROUNDS });
      assert.ok(bytes > 300 && bytes <= STORED[`POST ${route}`]!.bytes, `${route}: ${bytes} bytes`);
    }
  },
);

interface RepeatedWrite {
  rounds: number;
  /** Returns one round, which calls the route once. */
  prepare: (service: TestService, member: SignedIn) => Promise<(round: number) => Promise<unknown>>;
  /** Number of calls to which the documented bytes refer (default 1). */
  documentedCalls?: number;
}

/** Writes of a member that are repeated until a day of them can be estimated. */
const REPEATED: Readonly<Record<string, RepeatedWrite>> = {
  'POST /api/billing/checkout': {
    rounds: ROUNDS,
    prepare:
      async (_service, { call }) =>
      async (round) =>
        assertDone(await call('POST', '/api/billing/checkout', { tier: round % 2 === 0 ? 'pro' : 'max' })),
  },
  'POST /api/holdings/import': {
    rounds: 10,
    async prepare({ database }, { call }) {
      const symbols = await insertTickers(database, 1_000);
      return async (round) => {
        const rows = symbols.map((symbol) => `${symbol},${round + 1}.12345678,${round + 7}.1234`);
        const text = ['Symbol,Quantity,Cost basis', ...rows].join('\n');
        assertDone(await call('POST', '/api/holdings/import', { text }));
      };
    },
    documentedCalls: IMPORTS_PER_DAY,
  },
  'POST /api/accounts': {
    rounds: ROUNDS,
    prepare:
      async (_service, { call }) =>
      async () => {
        const created = await call('POST', '/api/accounts', { name: '国'.repeat(50), balance: 1 });
        assertDone(created);
        assertDone(await call('DELETE', `/api/accounts/${created.body.account.id}`));
      },
  },
  'PATCH /api/accounts/:id': {
    rounds: 2 * ROUNDS,
    async prepare(_service, { call }) {
      const { body } = await call('POST', '/api/accounts', { name: 'Cash', balance: 1 });
      return async (round) =>
        assertDone(await call('PATCH', `/api/accounts/${body.account.id}`, { balance: round + 1_000_000.5 }));
    },
  },
  'POST /api/connections/start': {
    rounds: 2 * ROUNDS,
    prepare:
      async (_service, { call }) =>
      async (round) =>
        assertDone(await call('POST', '/api/connections/start', { kind: round % 2 === 0 ? 'bank' : 'brokerage' })),
  },
};

test.for(Object.keys(REPEATED))(
  'stores no more than documented with indexes and replaced rows when a member repeats %s',
  { tags: ['slow'] },
  async (route, t) => {
    const { rounds, prepare, documentedCalls = 1 } = REPEATED[route]!;
    const { service, member } = await startWithMember(t);
    const write = await prepare(service, member);
    const bytes = await measureRound({ readSize: () => readAllSizes(service.database), write, rounds });
    const documented = STORED[route]!.bytes / documentedCalls;
    assert.ok(bytes > documented / 10 && bytes <= documented, `${bytes} of ${documented} bytes`);
  },
);
