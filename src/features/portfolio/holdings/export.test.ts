import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  addHolding,
  createAccount,
  type InvestmentsApp,
  setUpInvestmentsApp,
} from '../../../../test/support/investments-app.ts';
import { writeHoldingsCsv } from './export-holdings.ts';
import { writeNetWorthCsv } from '../net-worth/export-net-worth.ts';

let app: InvestmentsApp;
setUpInvestmentsApp((started) => {
  app = started;
});

const HOLDINGS = '/api/investments/holdings/export.csv';
const NET_WORTH = '/api/net-worth/export.csv';

/** Reads a file as its lines, without the byte order mark. */
async function readLines(path: string, member: string): Promise<string[]> {
  const { status, body } = await app.call('GET', path, member);
  assert.equal(status, 200);
  const text = String(body).replace(/^\uFEFF/, '');
  assert.ok(text.endsWith('\r\n'));
  return text.split('\r\n').slice(0, -1);
}

const listHeld = (member: string) =>
  app.owner(
    `select a.name, h.symbol, trim_scale(h.quantity)::text as quantity, trim_scale(h.cost_basis)::text as cost
       from public.accounts a join public.manual_public_holdings h on h.idp_id = a.idp_id and h.account_id = a.id
      where a.idp_id = $1 order by a.name, h.symbol, h.quantity`,
    [member],
  );

test('exports holdings that an empty member can import unchanged', async () => {
  const broker = await createAccount(app, 'user_a', { name: 'Broker, "main"' });
  const pounds = await createAccount(app, 'user_a', { name: 'Pounds', currency: 'GBP' });
  for (const [account, symbol, quantity, cost] of [
    [broker, 'AAPL', 1.234, 1_234.5],
    [broker, '91282CJZ5', 10_000, 9_812.125],
    [broker, 'VOO', 0.0000001234, null],
    [pounds, 'HSBA.L', 10, 60],
    [pounds, 'AAPL', 12_345, 0],
  ] as const) {
    const body = { account_id: account, symbol, quantity, cost_basis: cost };
    assert.equal((await app.call('POST', '/api/investments/holdings', 'user_a', body)).status, 201, symbol);
  }
  const { body: text } = await app.call('GET', HOLDINGS, 'user_a');
  const imported = await app.call('POST', '/api/holdings/import', 'user_b', { text });
  assert.equal(imported.status, 200, JSON.stringify(imported.body));
  assert.deepEqual(await listHeld('user_b'), await listHeld('user_a'));
  assert.equal((await listHeld('user_a')).length, 5);
});

test('writes the own rows alone, for spreadsheets and for no cache', async () => {
  await app.owner('delete from public.accounts');
  const account = await createAccount(app, 'user_a', { name: '=HYPERLINK("http://x")' });
  await addHolding(app, 'user_a', account, 'AAPL', 2);
  for (const [path, name] of [
    [HOLDINGS, 'holdings'],
    [NET_WORTH, 'net-worth'],
  ] as const) {
    const { headers } = await app.call('GET', path, 'user_a');
    assert.match(headers.get('content-type')!, /^text\/csv; charset=utf-8/);
    assert.equal(headers.get('cache-control'), 'private, no-store');
    assert.match(
      headers.get('content-disposition')!,
      new RegExp(`^attachment; filename="${name}-\\d{4}-\\d\\d-\\d\\d\\.csv"$`),
    );
  }
  const [header, ...rows] = await readLines(HOLDINGS, 'user_a');
  assert.equal(
    header,
    'account,symbol,name,asset_type,quantity,cost_basis,currency,price,price_unit,value,price_at,sample',
  );
  assert.equal(rows.length, 1);
  assert.match(rows[0]!, /^"'=HYPERLINK\(""http:\/\/x""\)",AAPL,/);
  assert.deepEqual(await readLines(HOLDINGS, 'user_b'), [header]);
});

test('writes the daily net worth of the own snapshots, oldest first', async () => {
  await app.owner(`insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments, taken_at)
    values ('user_a', current_date - 2, 'USD', -100.5, 250, now() - interval '2 days'),
           ('user_a', current_date - 1, 'USD', 0, 300, now() - interval '1 day'),
           ('user_b', current_date - 1, 'USD', 7, 7, now() - interval '1 day')`);
  const [header, ...rows] = await readLines(NET_WORTH, 'user_a');
  assert.equal(header, 'date,currency,cash,investments,net_worth,added_or_withdrawn');
  assert.deepEqual(
    rows.slice(0, 2).map((row) => row.replace(/^\d{4}-\d\d-\d\d,/, '').replace(/,[^,]*$/, '')),
    ['USD,-100.5,250,149.5', 'USD,0,300,300'],
  );
  assert.equal(
    (await readLines(NET_WORTH, 'user_b')).some((row) => row.includes(',300')),
    false,
  );
});

test('starts with the byte order mark and leaves negative amounts numbers', () => {
  assert.equal(writeHoldingsCsv([]).charCodeAt(0), 0xfe_ff);
  const history = [{ date: '2026-11-28', cash: -12.5, investments: 0, total: -12.5, flows: -2 }];
  assert.match(
    writeNetWorthCsv({ currency: 'EUR', history }),
    /^\uFEFFdate,.*\r\n2026-11-28,EUR,-12\.5,0,-12\.5,-2\r\n$/,
  );
});
