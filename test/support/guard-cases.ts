import assert from 'node:assert/strict';
import pg from 'pg';
import type { TestDatabase } from './database.ts';

/** Connections that a case uses. The owner's ones bypass row-level security, so that a function's own guard decides. */
interface Connections {
  db: TestDatabase;
  client: pg.Client;
  other: pg.Client;
}

/** A rule that a function or view of the database keeps. Throws if it is violated. */
export interface GuardCase {
  title: string;
  verify(connections: Connections): Promise<void>;
}

const LIMIT = 3;
const DENIED = { code: '42501' };
const NOT_WAITING = { code: '55P03' };

/** Creates the listings and plans that the cases share. */
export async function prepareGuards({ owner }: TestDatabase): Promise<void> {
  await owner(
    `insert into public.tracked_tickers_latest (symbol, asset_type, currency, current_price)
     select s, 'stock', 'USD', 1 from unnest(array['A', 'B', 'C', 'D', 'E', '1X']) s`,
  );
  await owner(`update public.plans set watchlist_limit = ${LIMIT} where tier = 'free'`);
  await owner(`update public.plans set watchlist_limit = ${LIMIT} + 1 where tier = 'max'`);
  await owner(`insert into public.all_users (idp_id) values ('m'), ('n')`);
  await owner(`insert into public.tier_grants (idp_id, tier) values ('n', 'max')`);
}

/** Runs each case, with an empty list of m, and one of n that must not change. */
export async function runGuardCases(db: TestDatabase, cases: readonly GuardCase[]): Promise<void> {
  const client = new pg.Client({ connectionString: db.ownerUrl });
  const other = new pg.Client({ connectionString: db.ownerUrl });
  await Promise.all([client.connect(), other.connect()]);
  try {
    await other.query(`set lock_timeout = '100ms'`);
    for (const { verify } of cases) {
      await client.query(`delete from public.watchlist_items where idp_id in ('m', 'n')`);
      await setList(client, 'n', { D: 1, E: 5 });
      await client.query(`select set_config('request.jwt.claims', '{"sub":"m"}', false)`);
      await verify({ db, client, other });
      assert.equal(await readList(client, 'n'), 'D1 E5', "n's list");
    }
  } finally {
    await Promise.all([client.end(), other.end()]);
  }
}

/** Replaces a list by rows at these positions, changed long ago. */
async function setList(client: pg.Client, member: string, positions: Record<string, number>): Promise<void> {
  await client.query('delete from public.watchlist_items where idp_id = $1', [member]);
  await client.query(
    `insert into public.watchlist_items (idp_id, symbol, position, updated_at)
     select $1, key, value::integer, '2026-01-01' from jsonb_each_text($2)`,
    [member, JSON.stringify(positions)],
  );
}

/** Returns a list as `A1 B2`. */
async function readList(client: pg.Client, member = 'm'): Promise<string> {
  const { rows } = await client.query<{ list: string | null }>(
    `select string_agg(symbol || position, ' ' order by position) as list from public.watchlist_items where idp_id = $1`,
    [member],
  );
  return rows[0]!.list ?? '';
}

/** Returns the symbols of m's rows that were changed since the list was set. */
async function readChanged(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ list: string | null }>(
    `select string_agg(symbol, '' order by symbol) as list from public.watchlist_items
      where idp_id = 'm' and updated_at > '2026-01-02'`,
  );
  return rows[0]!.list ?? '';
}

/** Gives n's last row the id of a row of m, since ids are unique within a list only. */
const shareId = (client: pg.Client, id: string | undefined): Promise<unknown> =>
  client.query(`update public.watchlist_items set id = $1 where idp_id = 'n' and symbol = 'E'`, [id]);

async function readIds(client: pg.Client, member: string): Promise<Record<string, string>> {
  const { rows } = await client.query<{ symbol: string; id: string }>(
    'select symbol, id from public.watchlist_items where idp_id = $1',
    [member],
  );
  return Object.fromEntries(rows.map(({ symbol, id }) => [symbol, id]));
}

async function readValue(client: pg.Client, expression: string, values: unknown[] = []): Promise<unknown> {
  const { rows } = await client.query<{ value: unknown }>(`select ${expression} as value`, values);
  return rows[0]!.value;
}

/** Runs `use` in a transaction of `client`, which is rolled back. */
async function inTransaction(client: pg.Client, use: () => Promise<unknown>): Promise<void> {
  await client.query('begin');
  try {
    await use();
  } finally {
    await client.query('rollback');
  }
}

const ZERO_ID = '00000000-0000-4000-8000-000000000000';
const ANSWERS = [1, 2, 3].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

interface Limits {
  tokens?: number;
  maxAnswers?: number;
  maxTokens?: number;
  maxTotal?: number;
}
const reserve = (
  client: pg.Client,
  member: string,
  answer: number,
  { tokens = 10, maxAnswers = 9, maxTokens = 100, maxTotal = 100_000 }: Limits = {},
): Promise<unknown> =>
  readValue(client, 'public.reserve_assistant_tokens($1, $2, $3, $4, $5, $6, 60)', [
    member,
    ANSWERS[answer - 1],
    tokens,
    maxAnswers,
    maxTokens,
    maxTotal,
  ]);
/** Replaces the usage of today. Each row has a member, an answer, spent and reserved tokens and its expiry. */
async function setUsage(client: pg.Client, ...rows: string[]): Promise<void> {
  await client.query('delete from public.assistant_usage');
  if (rows.length > 0)
    await client.query(
      `insert into public.assistant_usage (idp_id, answer_id, day, spent, reserved, expires_at)
       select r.m, ('00000000-0000-4000-8000-00000000000' || r.answer)::uuid, r.day, r.spent, r.reserved, r.expires_at
         from (values ${rows.join(', ')}) as r (m, answer, day, spent, reserved, expires_at)`,
    );
}
const TODAY = `(clock_timestamp() at time zone 'UTC')::date`;
const PENDING = `clock_timestamp() + interval '1 hour'`;
const EXPIRED = `clock_timestamp() - interval '1 hour'`;

export const guardCases: readonly GuardCase[] = [
  {
    title: 'adds up to the limit, at any position, and no symbol twice',
    async verify({ client }) {
      const add = (symbol: string, position: number | null = null) =>
        readValue(client, `public.add_watchlist_item('m', $1, $2)`, [symbol, position]);
      assert.equal(await add('A'), 1);
      assert.equal(await add('D'), 2);
      assert.equal(await add('B', 2), 3);
      assert.equal(await readList(client), 'A1 B2 D3');
      await assert.rejects(add('B'), { code: '23505', message: 'watchlist_duplicate' });
      await assert.rejects(add('C'), { code: 'P0001', message: 'watchlist_limit_reached' });
      await setList(client, 'm', { A: 1, B: 2 });
      assert.equal(await add('C', -1), 3);
      assert.equal(await readList(client), 'C1 A2 B3');
      await setList(client, 'm', { A: 1, B: 5 });
      assert.equal(await add('C', 9), 3);
      assert.equal(await readList(client), 'A1 B2 C3');
    },
  },
  {
    title: 'adds several symbols once each, up to the limit, and none in a dry run',
    async verify({ client }) {
      const add = async (symbols: string, dryRun = false) => {
        const { rows } = await client.query<{ outcome: string }>(
          `select outcome from public.add_watchlist_items('m', $1, $2) order by ordinal`,
          [`{${symbols}}`, dryRun],
        );
        return rows.map(({ outcome }) => outcome).join(' ');
      };
      await setList(client, 'm', { A: 4 });
      const outcomes = 'duplicate added duplicate added over_limit';
      assert.equal(await add('A,B,B,D,C', true), outcomes);
      assert.equal(await readList(client), 'A4');
      assert.equal(await add('A,B,B,D,C'), outcomes);
      assert.equal(await readList(client), 'A1 B2 D3');
    },
  },
  {
    title: "moves a row of the caller's list alone",
    async verify({ client }) {
      await setList(client, 'm', { A: 1, B: 2, C: 7 });
      const ids = await readIds(client, 'm');
      const foreign = await readIds(client, 'n');
      const move = async (id: string | undefined, position: number) => {
        const { rows } = await client.query<{ id: string }>(
          'select id, position from public.move_watchlist_item($1, $2)',
          [id, position],
        );
        return rows.map((row) => Object.keys(ids).find((symbol) => ids[symbol] === row.id) ?? '?').join('');
      };
      assert.equal(await move(foreign['D'], 2), '');
      assert.equal(await move(ZERO_ID, 2), '');
      assert.equal(await move(ids['B'], 2), 'ABC');
      assert.equal(await readList(client), 'A1 B2 C3');
      assert.equal(await readChanged(client), '');
      assert.equal(await move(ids['B'], 99), 'ACB');
      assert.equal(await readChanged(client), 'BC');
      assert.equal(await move(ids['B'], 0), 'BAC');
      assert.equal(await readList(client), 'B1 A2 C3');
    },
  },
  {
    title: "removes a row of the caller's list alone",
    async verify({ client }) {
      await setList(client, 'm', { A: 1, B: 2, C: 3 });
      const remove = async (id: string | undefined) =>
        (await client.query('select symbol, item_count from public.remove_watchlist_item($1)', [id])).rows;
      assert.deepEqual(await remove((await readIds(client, 'n'))['D']), []);
      assert.deepEqual(await remove((await readIds(client, 'm'))['A']), [{ symbol: 'A', item_count: 2 }]);
      assert.equal(await readList(client), 'B1 C2');
    },
  },
  {
    title: 'reorders the whole list of the caller, and no other rows',
    async verify({ client }) {
      await setList(client, 'm', { A: 1, B: 2, C: 3 });
      const ids = await readIds(client, 'm');
      const foreign = await readIds(client, 'n');
      const reorder = (...order: (string | undefined)[]) =>
        client.query('select id, position from public.reorder_watchlist_items($1)', [order]);
      const conflict = { code: 'P0001', message: 'order_conflict' };
      await assert.rejects(reorder(ids['A'], ids['B']), conflict);
      await assert.rejects(reorder(ids['A'], ids['B'], foreign['D']), conflict);
      await assert.rejects(reorder(ids['A'], ids['B'], ids['C'], foreign['D']), conflict);
      await shareId(client, ids['B']);
      await reorder(ids['A'], ids['C'], ids['B']);
      assert.equal(await readList(client), 'A1 C2 B3');
      assert.equal(await readChanged(client), 'BC');
    },
  },
  {
    title: "renumbers one member's list",
    async verify({ client }) {
      await setList(client, 'm', { A: 2, B: 9 });
      await shareId(client, (await readIds(client, 'm'))['B']);
      assert.equal(await readValue(client, `public.renumber_watchlist_positions('m')`), 2);
      assert.equal(await readList(client), 'A1 B2');
    },
  },
  {
    title: 'rejects a change of a list without a member',
    async verify({ db }) {
      for (const call of [
        `move_watchlist_item('${ZERO_ID}', 1)`,
        `remove_watchlist_item('${ZERO_ID}')`,
        `reorder_watchlist_items('{}')`,
      ])
        await assert.rejects(db.database.service.query(`select public.${call}`), DENIED, call);
    },
  },
  {
    title: "locks a member's own list, and any list for the service and the owner",
    async verify({ db, client }) {
      const member = db.database.asMember({ sub: 'm' });
      await member.query(`select public.lock_watchlist('m')`);
      for (const id of ['n', null])
        await assert.rejects(member.query('select public.lock_watchlist($1)', [id]), DENIED, `${id}`);
      await db.database.service.query(`select public.lock_watchlist('n')`);
      await client.query(`select public.lock_watchlist('n')`);
    },
  },
  {
    title: 'waits for the lock of the list before every change of it',
    async verify({ client, other }) {
      await setList(client, 'm', { A: 1 });
      const { A } = await readIds(client, 'm');
      await other.query(`select set_config('request.jwt.claims', '{"sub":"m"}', false)`);
      await inTransaction(client, async () => {
        await client.query(`select public.lock_watchlist('m')`);
        for (const call of [
          `add_watchlist_item('m', 'B')`,
          `add_watchlist_items('m', '{B}')`,
          `move_watchlist_item('${A}', 1)`,
          `remove_watchlist_item('${A}')`,
          `reorder_watchlist_items(array['${A}'::uuid])`,
          `lock_watchlist('m')`,
        ])
          await assert.rejects(other.query(`select public.${call}`), NOT_WAITING, call);
        await other.query(`select public.lock_watchlist('o')`);
      });
    },
  },
  {
    title: "returns the tier and the limit of one member, and locks that member's tiers",
    async verify({ client, other }) {
      const readTiers = async () =>
        [
          await readValue(client, `public.get_tier('m')`),
          await readValue(client, `public.get_watchlist_limit('m')`),
          await readValue(client, `public.get_tier('n')`),
          await readValue(client, `public.get_watchlist_limit('n')`),
        ].join(' ');
      await inTransaction(client, async () => {
        assert.equal(await readTiers(), `free ${LIMIT} max ${LIMIT + 1}`);
        await client.query(
          `insert into public.subscriptions (idp_id, id, tier, status) values ('m', 's', 'max', 'active')`,
        );
        for (const [change, tier] of [
          [`status = 'active'`, 'max'],
          [`status = 'incomplete'`, 'free'],
          [`status = 'trialing'`, 'max'],
          [`status = 'past_due'`, 'max'],
          [`status = 'unpaid', current_period_end = now() + interval '1 day'`, 'free'],
          [`status = 'canceled'`, 'max'],
          [`ended_at = now()`, 'free'],
          [`ended_at = null, current_period_end = now() - interval '1 day'`, 'free'],
        ] as const) {
          await client.query(`update public.subscriptions set ${change} where idp_id = 'm'`);
          assert.equal(await readValue(client, `public.get_tier('m')`), tier, change);
        }
      });
      await client.query(
        `insert into public.subscriptions (idp_id, id, tier, status) values ('m', 's', 'pro', 'active'),
           ('n', 's', 'pro', 'active') on conflict do nothing`,
      );
      await client.query(`insert into public.tier_grants (idp_id, tier) values ('m', 'pro') on conflict do nothing`);
      await inTransaction(client, async () => {
        await client.query(`select public.get_watchlist_limit('m')`);
        for (const table of ['subscriptions', 'tier_grants']) {
          const update = (member: string) =>
            other.query(`update public.${table} set tier = tier where idp_id = $1`, [member]);
          await assert.rejects(update('m'), NOT_WAITING, table);
          await update('n');
        }
      });
      await client.query(`delete from public.subscriptions; delete from public.tier_grants where idp_id = 'm'`);
    },
  },
  {
    title: "adds up to the limit of a member's alerts, one at a time, and none for a locked row",
    async verify({ client, other }) {
      await client.query(`insert into public.alert_settings (idp_id) values ('m'), ('n')`);
      const add = (member: string, symbol: string, connection = client) =>
        readValue(connection, `public.add_alert($1, $2, 'above', 1, 'once', null)`, [member, symbol]);
      await inTransaction(client, async () => {
        await add('m', 'A');
        await assert.rejects(add('m', 'A', other), NOT_WAITING);
        await add('n', 'A', other);
      });
      for (let alert = 0; alert < LIMIT; alert += 1) await add('m', 'A');
      await assert.rejects(add('m', 'A'), { code: 'P0001', message: 'alert_limit_reached' });
      await client.query(`delete from public.alerts where idp_id = 'm'`);
      // A row at the limit is open, and the next one is locked.
      await setList(client, 'm', { A: 1, B: 2, C: 3, D: 4 });
      await add('m', 'C');
      await assert.rejects(add('m', 'D'), { code: 'P0002', message: 'alert_symbol_locked' });
      assert.equal(await readValue(client, `public.is_locked_symbol('m', 'E')`), false);
      await client.query('delete from public.alert_settings');
    },
  },
  {
    title: 'keeps the price that an alert is set beside until the alert is stored',
    async verify({ client, other }) {
      const price = (symbol: string) =>
        other.query(`update public.tracked_tickers_latest set price_at = '2026-01-01' where symbol = $1`, [symbol]);
      await price('A');
      await inTransaction(client, async () => {
        assert.deepEqual(await readValue(client, `public.lock_price('A')`), new Date('2026-01-01'));
        await assert.rejects(price('A'), NOT_WAITING);
        await price('B');
        assert.equal(await readValue(client, `public.lock_price('C')`), null);
      });
      await client.query('update public.tracked_tickers_latest set price_at = null');
    },
  },
  {
    title: "limits a member's tokens, counting each answer's newest reservation",
    async verify({ client }) {
      await setUsage(client);
      assert.equal(await reserve(client, 'm', 1, { tokens: 101 }), 'tokens');
      assert.equal(await reserve(client, 'm', 1, { tokens: 100 }), 'ok');
      assert.equal(await reserve(client, 'm', 1, { tokens: 100 }), 'ok');
      assert.equal(await reserve(client, 'n', 1, { tokens: 100 }), 'ok');
      assert.equal(await reserve(client, 'm', 2, { tokens: 1 }), 'tokens');
      assert.equal(await reserve(client, 'n', 2, { tokens: 1 }), 'tokens');
      await setUsage(client, `('m', 1, ${TODAY}, 0, 100, ${EXPIRED})`, `('m', 2, ${TODAY} - 1, 100, 0, ${PENDING})`);
      assert.equal(await reserve(client, 'm', 3, { tokens: 100 }), 'ok');
    },
  },
  {
    title: "limits a member's answers of a day, and lets a started answer continue",
    async verify({ client }) {
      const one = { maxAnswers: 1 };
      await setUsage(client);
      assert.equal(await reserve(client, 'm', 1, one), 'ok');
      assert.equal(await reserve(client, 'm', 2, one), 'answers');
      assert.equal(await reserve(client, 'm', 2, { maxAnswers: 2 }), 'ok');
      await setUsage(client, `('m', 1, ${TODAY}, 5, 0, ${EXPIRED})`);
      assert.equal(await reserve(client, 'm', 1, one), 'ok');
      assert.equal(await reserve(client, 'm', 2, one), 'answers');
      // Another member has started this answer, or this member has on another day, or it has cost nothing.
      for (const row of [
        `('n', 2, ${TODAY}, 5, 0, ${EXPIRED})`,
        `('m', 2, ${TODAY} - 1, 5, 0, ${EXPIRED})`,
        `('m', 2, ${TODAY}, 0, 5, ${EXPIRED})`,
      ]) {
        await setUsage(client, `('m', 1, ${TODAY}, 5, 0, ${EXPIRED})`, row);
        assert.equal(await reserve(client, 'm', 2, one), 'answers', row);
      }
      await setUsage(client, `('m', 1, ${TODAY}, 0, 5, ${EXPIRED})`);
      assert.equal(await reserve(client, 'm', 2, one), 'ok');
    },
  },
  {
    title: "limits the installation's tokens and reserves one at a time",
    async verify({ client, other }) {
      await setUsage(client, `('n', 1, ${TODAY}, 50, 0, ${EXPIRED})`);
      assert.equal(await reserve(client, 'm', 1, { maxTotal: 59 }), 'installation');
      assert.equal(await reserve(client, 'm', 1, { maxTotal: 60 }), 'ok');
      await inTransaction(client, async () => {
        await reserve(client, 'm', 1);
        await assert.rejects(reserve(other, 'n', 2), NOT_WAITING);
      });
    },
  },
  {
    title: "revokes one member's keys and tokens, once",
    async verify({ client }) {
      await inTransaction(client, async () => {
        await client.query(
          `with made as (insert into public.organisations (name, owner_idp_id) values ('m', 'm'), ('n', 'n') returning *)
           insert into public.api_keys (organisation_id, name, key_hash, hint, revoked_at)
           select id, name || r, sha256((name || r)::bytea), 'hint', case r when 'old' then '2026-01-01'::timestamptz end
             from made, unnest(array['new', 'old']) r`,
        );
        await client.query(
          `insert into public.assistant_tokens (idp_id, name, token_hash, hint, scopes, expires_at, revoked_at)
           select m, m || r, sha256((m || r)::bytea), 'hint', '{sql}', now(),
                  case r when 'old' then '2026-01-01'::timestamptz end
             from unnest(array['m', 'n']) m, unnest(array['new', 'old']) r`,
        );
        await client.query(`select public.revoke_credentials('m')`);
        for (const table of ['api_keys', 'assistant_tokens']) {
          const { rows } = await client.query(
            `select name, revoked_at = now() as now from public.${table} order by name`,
          );
          const expected = [
            { name: 'mnew', now: true },
            { name: 'mold', now: false },
            { name: 'nnew', now: null },
            { name: 'nold', now: false },
          ];
          assert.deepEqual(rows, expected, table);
        }
      });
    },
  },
  {
    title: 'delays the deletion of one member until the end of a transaction',
    async verify({ client, other }) {
      const tryDeletion = (member: string) =>
        readValue(other, `pg_try_advisory_xact_lock(hashtextextended('deletion:' || $1, 0))`, [member]);
      await inTransaction(client, async () => {
        assert.equal(await readValue(client, `public.delay_deletion('m')`), true);
        assert.equal(await tryDeletion('m'), false);
        assert.equal(await tryDeletion('n'), true);
        await client.query(`insert into public.deleted_members (idp_id_hash) values (sha256('gone'))`);
        assert.equal(await readValue(client, `public.delay_deletion('gone')`), false);
        assert.equal(await readValue(client, `public.delay_deletion('n')`), true);
      });
      await inTransaction(other, async () => {
        assert.equal(await tryDeletion('m'), true);
        assert.equal(await readValue(client, `public.delay_deletion('m')`), false);
      });
    },
  },
  {
    title: 'rejects a new name of a deleted member, like a foreign key',
    async verify({ client }) {
      await inTransaction(client, async () => {
        await client.query('create table public.named (id integer, member text)');
        await client.query(`insert into public.named values (1, 'gone')`);
        await client.query(
          `create trigger named before insert or update of member on public.named
             for each row execute function public.require_member(member)`,
        );
        await client.query(`insert into public.deleted_members (idp_id_hash) values (sha256('gone'))`);
        await client.query(`insert into public.named values (2, null), (3, 'm')`);
        await client.query(`update public.named set member = member where id = 1`);
        await client.query('savepoint before_name');
        for (const change of [
          `insert into public.named values (4, 'gone')`,
          `update public.named set member = 'gone'`,
        ]) {
          await assert.rejects(client.query(change), { code: '23503' }, change);
          await client.query('rollback to before_name');
        }
      });
    },
  },
  {
    title: 'copies changed listings, and rewrites no others',
    async verify({ client }) {
      await inTransaction(client, async () => {
        for (const [event, rows] of [
          ['insert', 'new table as new_rows'],
          ['update', 'new table as new_rows'],
          ['delete', 'old table as old_rows'],
        ])
          await client.query(
            `create trigger copy_${event} after ${event} on public.tracked_tickers_latest
               referencing ${rows} for each statement execute function public.copy_listings()`,
          );
        const readCopies = () =>
          readValue(
            client,
            `(select string_agg(symbol || current_price, ' ' order by symbol) from public.listing_copies)`,
          );
        await client.query(`insert into public.tracked_tickers_latest (symbol, asset_type, currency, current_price)
          values ('X1', 'stock', 'USD', 1), ('X2', 'stock', 'USD', 1), ('X3', 'stock', 'USD', 1)`);
        const readPlaces = () =>
          readValue(client, `(select string_agg(ctid::text, ' ' order by symbol) from public.listing_copies)`);
        const places = await readPlaces();
        await client.query(`update public.tracked_tickers_latest set current_price = 1 where symbol like 'X%'`);
        assert.equal(await readPlaces(), places);
        await client.query(`update public.tracked_tickers_latest set current_price = 2 where symbol = 'X2'`);
        await client.query('delete from public.tracked_tickers_latest where false');
        await client.query(`delete from public.tracked_tickers_latest where symbol = 'X3'`);
        assert.equal(await readCopies(), 'X11 X22');
      });
    },
  },
  {
    title: 'limits the text that a member’s string_agg() makes',
    async verify({ client }) {
      const append = (first: number, next: number) =>
        readValue(client, `length(assistant.append_text(repeat('a', $1), repeat('b', $2), ','))`, [first, next]);
      assert.equal(await append(19_999, 1), 20_001);
      await assert.rejects(append(19_999, 2), { code: '54000' });
      assert.equal(await readValue(client, `assistant.append_text('a', null, ',')`), 'a');
      assert.equal(await readValue(client, `assistant.append_text(null, 'b', ',')`), 'b');
    },
  },
  {
    title: "hides prices of locked rows from a member's SQL, unless the symbol is held",
    async verify({ db, client }) {
      await setList(client, 'm', { A: 1, B: 2, C: 3, '1X': 4, D: 5 });
      // B has no price and E no currency, so that the institution's value counts.
      await client.query(`
        update public.tracked_tickers_latest set current_price = null where symbol = 'B';
        update public.tracked_tickers_latest set currency = null where symbol = 'E';
        insert into public.tracked_tickers_historical (ticker_id, d, close) select ticker_id, current_date, 1
          from public.tracked_tickers_latest;
        insert into public.accounts (idp_id, id, name) values ('m', '${ZERO_ID}', 'Mine'), ('n', '${ZERO_ID}', 'Theirs');
        insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
          values ('m', '${ZERO_ID}', 'D', 2), ('n', '${ZERO_ID}', '1X', 7);
        insert into public.connected_holdings (idp_id, account_id, external_id, symbol, name, quantity, currency,
          institution_value)
          select 'm', '${ZERO_ID}', 'x' || q, s, 'Name', q, 'EUR', 9
            from (values (3, 'B'), (4, 'E'), (5, 'A'), (6, null)) as held (q, s)`);
      const read = async (sql: string) => {
        const response = await db.database.readOnly!.run('m', sql, { rows: 100, bytes: 1e6, cost: 1e9 });
        return response.ok ? response.rows.map((row) => row.map(String).join(' ')).join(', ') : response.reason;
      };
      const hidden = `1 / case symbol when '1X' then 0 else 1 end = 1`;
      const found = {
        locked: await read('select symbol from assistant.locked_symbols order by 1'),
        held: await read(`select symbol from assistant.held_symbols order by 1`),
        prices: await read(`select symbol from assistant.prices where ${hidden} order by 1`),
        closes: await read(`select symbol, close from assistant.closes where ${hidden} order by 1`),
        holdings: await read('select quantity::real, symbol, currency, value::real from assistant.holdings order by 1'),
      };
      await client.query(`
        delete from public.connected_holdings; delete from public.manual_public_holdings; delete from public.accounts;
        delete from public.tracked_tickers_historical;
        update public.tracked_tickers_latest set current_price = 1, currency = 'USD'`);
      assert.deepEqual(found, {
        locked: '1X, D',
        held: 'A, B, D, E',
        prices: 'A, B, C, D, E',
        closes: 'A 1, B 1, C 1, D 1, E 1',
        holdings: '2 D USD 2, 3 B EUR 9, 4 E EUR 9, 5 A USD 5, 6 null EUR 9',
      });
    },
  },
  {
    title: "writes a member's own manual accounts, whatever is granted",
    async verify({ client }) {
      await inTransaction(client, async () => {
        await client.query('set local session_replication_role = replica');
        await client.query(`insert into public.accounts (idp_id, kind, name)
          values ('m', 'manual', 'manual'), ('m', 'bank', 'bank'), ('n', 'manual', 'foreign')`);
        await client.query('grant all on public.accounts to authenticated');
        // Without the right to read rows, the policy for reads does not hide rows from the tested ones.
        await client.query('set local role authenticated');
        const write = async (sql: string) => (await client.query(sql)).rowCount;
        await client.query('savepoint before_write');
        for (const sql of [
          `insert into public.accounts (idp_id, kind, name) values ('m', 'bank', 'x')`,
          `insert into public.accounts (idp_id, kind, name) values ('n', 'manual', 'x')`,
          `update public.accounts set kind = 'bank'`,
          `update public.accounts set idp_id = 'n'`,
        ]) {
          await assert.rejects(write(sql), DENIED, sql);
          await client.query('rollback to before_write');
        }
        assert.equal(await write(`insert into public.accounts (idp_id, kind, name) values ('m', 'manual', 'x')`), 1);
        assert.equal(await write(`update public.accounts set name = 'changed'`), 2);
        assert.equal(await write('delete from public.accounts'), 2);
        await client.query('reset role');
        assert.equal(
          await readValue(client, `(select string_agg(name, ' ' order by name) from public.accounts)`),
          'bank foreign',
        );
      });
    },
  },
  {
    title: 'finds manual accounts of the same member and currency that resemble a connected one',
    async verify({ client }) {
      await inTransaction(client, async () => {
        await client.query('set local session_replication_role = replica');
        await client.query(`
          insert into public.accounts (idp_id, kind, name, original_name, currency, balance, connection_id, external_id,
            duplicate_answered_at)
            values ('m', 'bank', 'Current', 'Giro', 'USD', 7, '${ZERO_ID}', 'x', null),
              ('m', 'bank', 'Answered', null, 'USD', 1, '${ZERO_ID}', 'y', now()),
              ('m', 'bank', 'Empty', null, 'USD', 0, '${ZERO_ID}', 'z', null),
              ('m', 'bank', 'Apart', null, 'USD', 8, null, null, null), ('n', 'bank', 'Theirs', null, 'USD', 9, '${ZERO_ID}', 'x', null);
          insert into public.accounts (idp_id, name, currency, balance) values ('m', ' current', 'USD', 2),
            ('m', 'GIRO ', 'USD', 3), ('m', 'Equal', 'USD', 7), ('m', 'Nothing', 'USD', 0), ('m', 'Theirs', 'USD', 4),
            ('m', 'answered', 'USD', 5), ('m', 'apart', 'USD', 6), ('m', 'current', 'EUR', 7), ('n', 'current', 'USD', 7)`);
        const { rows } = await client.query(
          'select name, is_same_name from public.account_duplicates order by name collate "C"',
        );
        assert.deepEqual(rows, [
          { name: ' current', is_same_name: true },
          { name: 'Equal', is_same_name: false },
          { name: 'GIRO ', is_same_name: true },
        ]);
        const readCount = (view: string) => readValue(client, `(select count(*)::integer from public.${view})`);
        assert.equal(await readCount('connected_accounts'), 4);
        await client.query(`
          insert into public.connected_holdings (idp_id, account_id, external_id, symbol, name, quantity, currency)
            values ('m', '${ZERO_ID}', 'x', null, 'x', 1, 'EUR'), ('m', '${ZERO_ID}', 'y', 'A', 'x', 1, 'EUR')`);
        assert.equal(await readCount('held_positions'), 1);
      });
    },
  },
  {
    title: 'returns the newest report of each symbol, and samples beside sample prices alone',
    async verify({ client }) {
      await inTransaction(client, async () => {
        await client.query(`update public.tracked_tickers_latest set source = 'fmp'`);
        await client.query(`
          update public.tracked_tickers_latest set source = 'simulator' where symbol in ('B', 'C');
          update public.tracked_tickers_latest set current_price = null where symbol = 'C';
          insert into public.earnings (symbol, date, sample, updated_at) values
            ('A', '2026-03-01', false, '2026-01-02'), ('A', '2026-02-01', false, '2026-01-02'),
            ('B', '2026-03-02', true, '2026-01-01'), ('C', '2026-03-03', true, '2026-01-01'),
            ('D', '2026-03-04', true, '2026-01-01'), ('E', '2026-03-05', true, '2026-01-01'),
            ('1X', '2026-03-06', false, '2026-01-01');
          insert into market.earnings_cache (symbol, reports, fetched_at) values
            ('A', '[{"date": "2026-04-01"}]', '2026-01-01'),
            ('D', '[{"date": "2026-02-28"}, {"date": "2026-03-01"}, {"date": "2026-04-04"}]', '2026-01-01'),
            ('1X', '[{"date": "2026-04-06"}]', '2026-01-02')`);
        const { rows } = await client.query<{ report: string }>(
          `select symbol || ' ' || date as report
             from market.upcoming_reports(array['A', 'B', 'C', 'D', 'E'], '2026-03-01') order by 1`,
        );
        assert.deepEqual(
          rows.map(({ report }) => report),
          ['A 2026-03-01', 'B 2026-03-02', 'D 2026-03-01', 'D 2026-04-04'],
        );
      });
    },
  },
  {
    title: "sets the link of a member who has none, and no other member's",
    async verify({ client }) {
      await inTransaction(client, async () => {
        await client.query('update public.all_users set referral_link = null');
        await client.query(`select public.set_referral_link('m', 'Qm7XvT3kWz9B')`);
        await client.query(`select public.set_referral_link('m', 'Rn8YwU4mXa2C')`);
        const { rows } = await client.query('select idp_id, referral_link from public.all_users order by idp_id');
        assert.deepEqual(rows, [
          { idp_id: 'm', referral_link: 'Qm7XvT3kWz9B' },
          { idp_id: 'n', referral_link: null },
        ]);
      });
    },
  },
];
