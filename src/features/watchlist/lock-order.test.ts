import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';

/**
 * Checks that changes of a list and of the plan wait for each other, with the server's own list of blocking sessions.
 * test/support/guard-cases.ts has the waits of two changes of a list.
 */
let db: TestDatabase;
const clients: pg.Client[] = [];
beforeAll(async () => {
  db = await createTestDatabase();
  await db.owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type) select 'S' || n, 'stock'
     from generate_series(1, 9) n`,
  );
});
afterAll(async () => {
  for (const client of clients) await client.end();
  await db.drop();
});

interface Session {
  pid: number;
  query(text: string, values?: unknown[]): Promise<pg.QueryResult>;
}

/**
 * Opens a connection in a transaction, as the service or as a member. The connection waits for locks as long as the
 * test runs.
 */
async function openSession(member?: string): Promise<Session> {
  const client = new pg.Client({ connectionString: member === undefined ? db.urls.service : db.urls.authenticator });
  clients.push(client);
  await client.connect();
  await client.query('set lock_timeout = 0; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  await client.query('begin');
  if (member !== undefined) {
    await client.query(`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', $1, true)`, [
      JSON.stringify({ sub: member }),
    ]);
  }
  return { pid: rows[0]!.pid, query: (text, values) => client.query(text, values) };
}

/**
 * Starts `second` during the open transaction of `first`. Asserts that it waits and then completes after the commit.
 */
async function assertWaits(first: Session, second: Session, text: string, values?: unknown[]): Promise<void> {
  let settled = false;
  const running = second.query(text, values).finally(() => {
    settled = true;
  });
  running.catch(() => {});
  const isBlocked = async () =>
    (await db.owner<{ by: number[] }>('select pg_blocking_pids($1) as by', [second.pid]))[0]!.by.includes(first.pid);
  let hasWaited = false;
  await eventually(async () => {
    if (settled) return true;
    hasWaited = await isBlocked();
    return hasWaited;
  });
  await first.query('commit');
  await running;
  await second.query('commit');
  assert.ok(hasWaited, `it did not wait: ${text}`);
}

let members = 0;
/** Creates a member on Pro whose list contains S1 to S3. */
async function createMember(): Promise<string> {
  members += 1;
  const id = `user_${members}`;
  await db.owner('insert into public.all_users (idp_id) values ($1)', [id]);
  await db.owner(`insert into public.subscriptions (idp_id, tier, status) values ($1, 'pro', 'active')`, [id]);
  await db.owner(
    `insert into public.watchlist_items (idp_id, symbol, position) select $1, 'S' || n, n from generate_series(1, 3) n`,
    [id],
  );
  return id;
}

const countRows = async (id: string) =>
  (await db.owner('select from public.watchlist_items where idp_id = $1', [id])).length;

const ADDS = {
  'one symbol': `select public.add_watchlist_item($1, 'S4')`,
  'many symbols': `select * from public.add_watchlist_items($1, array['S4'])`,
};

for (const [name, add] of Object.entries(ADDS)) {
  test(`makes a downgrade wait for an add of ${name} counted against the old plan`, async () => {
    const id = await createMember();
    const first = await openSession();
    await first.query(add, [id]);
    await assertWaits(first, await openSession(), `update public.subscriptions set tier = 'free' where idp_id = $1`, [
      id,
    ]);
    assert.equal(await countRows(id), 4);
  });

  test(`makes an add of ${name} wait for a running downgrade and use the new plan`, async () => {
    const id = await createMember();
    await db.owner(
      `insert into public.tracked_tickers_latest (symbol, asset_type) select 'T' || n, 'stock'
       from generate_series(1, 17) n on conflict do nothing`,
    );
    await db.owner(
      `insert into public.watchlist_items (idp_id, symbol, position) select $1, 'T' || n, n + 3
       from generate_series(1, 17) n`,
      [id],
    );
    const first = await openSession();
    await first.query(`update public.subscriptions set tier = 'free' where idp_id = $1`, [id]);
    const waitingAdd = assertWaits(first, await openSession(), add, [id]);
    if (name === 'one symbol') await assert.rejects(waitingAdd, { message: 'watchlist_limit_reached' });
    else await waitingAdd;
    assert.equal(await countRows(id), 20);
  });
}

for (const isPaid of [false, true])
  test(`makes the end of a grant wait for an add when the member ${isPaid ? 'also pays' : 'does not pay'}`, async () => {
    const id = await createMember();
    if (!isPaid) await db.owner('delete from public.subscriptions where idp_id = $1', [id]);
    await db.owner(`insert into public.tier_grants (idp_id, tier) values ($1, 'max')`, [id]);
    const first = await openSession();
    await first.query(ADDS['one symbol'], [id]);
    await assertWaits(first, await openSession(), 'delete from public.tier_grants where idp_id = $1', [id]);
    assert.equal(await countRows(id), 4);
  });

test('returns an error within seconds when a lock times out, on both logins', { tags: ['slow'] }, async () => {
  const [services, members] = await Promise.all(
    [db.urls.service, db.urls.authenticator].map(async (connectionString) => {
      const client = new pg.Client({ connectionString });
      clients.push(client);
      await client.connect();
      return (
        await client.query(
          `select current_setting('lock_timeout') as waits,
             current_setting('idle_in_transaction_session_timeout') as idles`,
        )
      ).rows;
    }),
  );
  assert.deepEqual(services, [{ waits: '5s', idles: '30s' }]);
  assert.deepEqual(members, services);
  const id = await createMember();
  const first = await openSession(id);
  await first.query('select public.lock_watchlist($1)', [id]);
  await assert.rejects(db.database.service.query(ADDS['one symbol'], [id]), { code: '55P03' });
  await first.query('rollback');
});
