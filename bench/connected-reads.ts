/**
 * `npm run bench -- connected-reads [--requests 600]`: what the dashboard and net worth cost a member with 20 connected
 * accounts and 500 connected holdings, beside one who entered the same figures by hand. Both read from one service, in
 * turn, in an order that changes, among 400 other members with holdings of either kind. The answers are compared
 * first, then the statements of each read. Ends with 1 where a goal is missed.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../src/config.ts';
import { start } from '../src/main.ts';
import { createTestDatabase } from '../test/support/database.ts';
import { newEmail, send, SITE, TestBrowser } from '../test/support/identity.ts';
import { manyTickers } from '../test/support/many-tickers.ts';
import { settingsOn } from '../test/support/service.ts';
import { recordStatements } from '../test/support/statement-log.ts';
import { median } from '../test/support/median.ts';

const { values } = parseArgs({ options: { requests: { type: 'string', default: '600' } } });
const requests = Number(values.requests);
const PATHS = [
  ...['/api/net-worth', '/api/accounts', '/api/investments/holdings', '/api/investments/positions'],
  ...['/api/dashboard', '/api/earnings', '/api/news'],
];
const [ACCOUNTS, HOLDINGS, OTHERS, OTHER_HOLDINGS] = [20, 500, 400, 50];
const MOST_MORE = 1.2;
/** Requests before those that count, until what runs all day is compiled; and after which a token is renewed. */
const [WARM_UP, A_TOKEN] = [200, 200];

await using stack = new AsyncDisposableStack();
const folder = mkdtempSync(join(tmpdir(), 'tally-connected-'));
stack.defer(async () => rmSync(folder, { recursive: true, force: true }));
const db = await createTestDatabase();
stack.defer(() => db.drop());
const service = await start(
  loadConfig({
    ...settingsOn(db),
    ...{ TOKEN_COUNT_WORKERS: '0', WORKER: 'off', BASE_URL: SITE, API_RATE_LIMIT: '1000000', DATA_DIR: folder },
  }),
  { seed: true },
);
stack.defer(() => service.stop());

type Kind = 'manual' | 'bank';
const KINDS: readonly Kind[] = ['manual', 'bank'];
const symbols = await manyTickers(db, HOLDINGS / 2);
for (let other = 0; other < OTHERS; other += 1) {
  const idpId = `user_other${other}`;
  await db.owner(`insert into public.all_users (idp_id) values ($1)`, [idpId]);
  await fill(idpId, KINDS[other % 2]!, 5, OTHER_HOLDINGS);
}
const signedIn: Record<Kind, () => Promise<Record<string, string>>> = {
  manual: await signUp('manual'),
  bank: await signUp('bank'),
};
await db.owner('analyze');

let missed = 0;
const goal = (met: boolean, text: string): string => {
  if (!met) missed += 1;
  return `${met ? 'goal met' : 'GOAL MISSED'}: ${text}`;
};
const texts = recordStatements({ after: () => {} });
console.log(`${ACCOUNTS} accounts, ${HOLDINGS} holdings, by hand and connected; ${requests} requests of each`);
for (const path of PATHS) {
  const counts: Partial<Record<Kind, number>> = {};
  const answers: Partial<Record<Kind, unknown>> = {};
  for (const kind of KINDS) {
    const headers = await signedIn[kind]();
    await get(path, headers); // the member is known to it now
    texts.length = 0;
    answers[kind] = figuresOf(await get(path, headers));
    counts[kind] = texts.length;
  }
  assert.deepEqual(answers.bank, answers.manual, path);
  const { manual, bank } = await time(path);
  const ratio = bank / manual;
  console.log(
    `GET ${path.padEnd(26)} p50 ${bank.toFixed(2)} ms connected, ${manual.toFixed(2)} ms by hand: ` +
      `${ratio.toFixed(2)}   ${goal(ratio <= MOST_MORE, `at most ${MOST_MORE}`)}; ` +
      `${counts.bank} and ${counts.manual} statements   ${goal(counts.bank === counts.manual, 'none more')}`,
  );
}
process.exitCode = missed > 0 ? 1 : 0;

/** Medians in milliseconds. */
async function time(path: string): Promise<Record<Kind, number>> {
  const times: Record<Kind, number[]> = { manual: [], bank: [] };
  const headers: Partial<Record<Kind, Record<string, string>>> = {};
  for (let i = 0; i < WARM_UP + requests; i += 1) {
    if (i % A_TOKEN === 0) for (const kind of KINDS) headers[kind] = await signedIn[kind]();
    for (const kind of i % 2 === 0 ? KINDS : KINDS.toReversed()) {
      const started = performance.now();
      await get(path, headers[kind]!);
      if (i >= WARM_UP) times[kind].push(performance.now() - started);
    }
  }
  return { manual: median(times.manual), bank: median(times.bank) };
}

async function get(path: string, headers: Record<string, string>): Promise<unknown> {
  const { status, body } = await send(`${service.url}${path}`, 'GET', undefined, headers);
  assert.equal(status, 200, `${path} answered ${status}`);
  return body;
}

/** An answer without what names or dates a row, and without who keeps it. */
function figuresOf(body: unknown): unknown {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) =>
      /^(id|account_id|kind|connection_id|created_at|updated_at)$/.test(key) ? undefined : value,
    ),
  );
}

/** A new member with the figures; what it returns makes the header of a fresh token. */
async function signUp(kind: Kind): Promise<() => Promise<Record<string, string>>> {
  const browser = new TestBrowser(service.url);
  const { body } = await browser.call('POST', '/client/sign_ups', {
    ...{ email_address: newEmail(), password: 'correct horse battery' },
  });
  const sessionId = body.response.created_session_id as string;
  const token = async () => ({ authorization: `Bearer ${await browser.token(sessionId)}` });
  const { idp_user_id: idpId } = (await get('/api/me', await token())) as { idp_user_id: string };
  await fill(idpId, kind, ACCOUNTS, HOLDINGS);
  return token;
}

/** Accounts and holdings of a member, equal whether they are kept by hand or connected, and a year of snapshots. */
async function fill(idpId: string, kind: Kind, accounts: number, holdings: number): Promise<void> {
  const isConnected = kind !== 'manual';
  if (isConnected)
    await db.owner(
      `insert into public.connections (idp_id, kind, provider, external_id, institution, synced_at)
       select $1::text, 'bank', 'plaid', 'item_' || $1::text || n, 'Bank ' || n, now()
         from generate_series(1, ceil($2::int / 5.0)::int) n`,
      [idpId, accounts],
    );
  await db.owner(
    `insert into public.accounts (idp_id, name, original_name, kind, balance, connection_id, external_id, created_at)
     select $1::text, 'Account ' || n, case when $3 then 'Account ' || n end, $4::text, n * 100,
            case when $3 then (select c.id from public.connections c
                                where c.idp_id = $1 and c.institution = 'Bank ' || ceil(n / 5.0)::int) end,
            case when $3 then 'acc_' || n end, now() - make_interval(secs => 100 - n)
       from generate_series(1, $2::int) n`,
    [idpId, accounts, isConnected, kind],
  );
  const rows = `from generate_series(0, $2::int - 1) n
    join public.accounts a on a.idp_id = $1 and a.name = 'Account ' || (n % $4::int + 1)`;
  const symbol = `($3::text[])[n % cardinality($3::text[]) + 1]`;
  await db.owner(
    isConnected
      ? `insert into public.connected_holdings
           (idp_id, account_id, external_id, symbol, name, quantity, cost_basis, currency, institution_value)
         select $1, a.id, 'sec_' || n, ${symbol}, 'Security ' || n, n + 1, 100, 'USD', 1 ${rows}`
      : `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity, cost_basis)
         select $1, a.id, ${symbol}, n + 1, 100 ${rows}`,
    [idpId, holdings, symbols, accounts],
  );
  await db.owner(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
     select $1, current_date - n, 'USD', 1000 + n, 5000 + n from generate_series(1, 365) n`,
    [idpId],
  );
}
