import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { type InvestmentsApp, setUpInvestmentsApp } from '../../../../test/support/investments-app.ts';
import { findOrSkip, IMPORT_CASES_FOLDER } from '../../../../test/support/recordings.ts';
import type { ImportResponse, ImportRow } from './contract.ts';

interface ExpectedPosition {
  symbol?: string;
  isin?: string;
  name?: string;
  quantity: number;
  cost: number | null;
  currency?: string | null;
}
interface Expected {
  kind: 'positions' | 'transactions' | 'mapping';
  account?: string;
  positions: ExpectedPosition[];
  cash?: { amount: number; currency: string }[];
  notImported?: Record<string, number>;
  problems?: { line: number }[];
  errors?: number;
  /** Columns that the member chooses, by header. */
  after?: Record<string, string>;
}

/** Listings of the files that the sample data lack. */
const listings = (
  [
    ['VFV.TO', 'CAD', 'Vanguard S&P 500 Index ETF', null],
    ['VFV', 'USD', 'Another company', null],
    ['VWRL.L', 'GBP', 'Vanguard FTSE All-World UCITS ETF', null],
    ['VWRL.AS', 'EUR', 'Vanguard FTSE All-World UCITS ETF', null],
    ['IUSZ.DE', 'EUR', 'iShares Core FTSE 100 UCITS ETF', 'IE0005042456'],
    ['APC.DE', 'EUR', 'Apple Inc.', null],
    ['MUST.MI', 'EUR', 'Muster S.p.A.', 'IT0005337123'],
  ] as const
).map(([symbol, currency, name, isin]) => ({
  symbol,
  currency,
  name,
  isin,
  exchange: null,
  assetType: 'stock' as const,
  logo: null,
}));
const symbolsByIsin: Readonly<Record<string, string>> = {
  IE0005042456: 'IUSZ.DE',
  US0378331005: 'AAPL',
  IT0005337123: 'MUST.MI',
};
/** What a member chooses for a position without a symbol. */
const CHOICE = 'APC.DE';

let app: InvestmentsApp;
setUpInvestmentsApp(
  (started) => {
    app = started;
  },
  { listings },
);

const expectedFile = join(IMPORT_CASES_FOLDER, 'expected.json');
const cases: Record<string, Expected> = existsSync(expectedFile) ? JSON.parse(readFileSync(expectedFile, 'utf8')) : {};

const importing = (member: string, body: object, query = '') =>
  app.call('POST', `/api/holdings/import${query}`, member, body);

/** Rounds a cost to cents, as the expectations are. */
const toCents = (cost: number | null): number | null => (cost === null ? null : Math.round(cost * 100) / 100);

/** Returns what the response shows of holdings and cash, in the form of the expectations. */
const listFigures = (rows: readonly ImportRow[]) =>
  rows
    .filter(({ outcome }) => outcome !== 'left_out')
    .map(({ symbol, quantity, cost_basis: cost, cash, currency }) =>
      [symbol, quantity, toCents(cost), cash, currency].join(' '),
    )
    .toSorted();

const listExpected = ({ positions, cash = [] }: Expected, rows: readonly ImportRow[]) =>
  [
    ...positions.map(({ symbol, isin, quantity, cost, currency }) => {
      const listed = symbol ?? (isin === undefined ? CHOICE : symbolsByIsin[isin]);
      return [listed, quantity, cost, null, currency ?? rows.find((row) => row.symbol === listed)?.currency].join(' ');
    }),
    ...cash.map(({ amount, currency }) => [null, null, null, amount, currency].join(' ')),
  ].toSorted();

test('has the files of brokers', (t) => {
  if (findOrSkip(t, expectedFile) !== undefined) assert.ok(Object.keys(cases).length > 0);
});

for (const [index, [name, expected]] of Object.entries(cases).entries())
  test(`imports what ${name} holds`, async () => {
    const member = `user_case_${index}`;
    await app.owner('insert into public.all_users (idp_id) values ($1)', [member]);
    const text = readFileSync(join(IMPORT_CASES_FOLDER, name), 'utf8');
    let body: object = { text };
    const preview = async (): Promise<ImportResponse> => {
      const { status, body: response } = await importing(member, body, '?dry_run=1');
      assert.equal(status, 200, JSON.stringify(response));
      const { total, ...others } = (response as ImportResponse).lines;
      assert.equal(
        Object.values(others).reduce((sum, count) => sum + count, 0),
        total,
      );
      assert.equal(total, text.split('\n').filter((line) => /[^\s,;"]/.test(line)).length);
      return response as ImportResponse;
    };
    let previewed = await preview();
    if (expected.after) {
      assert.deepEqual(previewed.rows, []);
      const { header } = previewed.table;
      body = { text, columns: header.map((column) => expected.after![column]) };
      previewed = await preview();
    }
    const searched = previewed.rows.filter(({ search }) => search !== null);
    const named = expected.positions.filter(({ symbol, isin }) => symbol === undefined && isin === undefined);
    assert.deepEqual(
      searched.map(({ search }) => search),
      named.map((position) => position.name),
    );
    if (searched.length > 0) {
      body = { ...body, securities: searched.map(({ search }) => ({ text: search, symbol: CHOICE })) };
      previewed = await preview();
    }
    if (expected.kind !== 'mapping') assert.equal(previewed.kind, expected.kind);
    assert.deepEqual(listFigures(previewed.rows), listExpected(expected, previewed.rows));
    assert.deepEqual(
      Object.fromEntries(previewed.not_imported.map(({ kind, lines }) => [kind, lines.length])),
      expected.notImported ?? {},
    );
    assert.deepEqual(
      previewed.rows.filter(({ reason }) => reason === 'oversold').map(({ lines }) => lines[0]),
      (expected.problems ?? []).map(({ line }) => line),
    );
    assert.equal(previewed.errors.length, expected.errors ?? 0);
    if (expected.account !== undefined)
      for (const { name: account } of previewed.accounts) assert.ok(account.endsWith(expected.account), account);

    const imported = await importing(member, { ...body, plan: previewed.plan });
    assert.equal(imported.status, 200);
    assert.deepEqual([imported.body.rows, imported.body.lines], [previewed.rows, previewed.lines]);
    const stored = await app.owner<{ symbol: string; quantity: number; cost: number | null }>(
      `select symbol, quantity::float8 as quantity, cost_basis::float8 as cost
         from public.manual_public_holdings where idp_id = $1 order by symbol`,
      [member],
    );
    assert.deepEqual(
      stored.map(({ symbol, quantity, cost }) => [symbol, quantity, cost]),
      previewed.rows
        .filter(({ kind, outcome }) => kind === 'holding' && outcome === 'new')
        .map(({ symbol, quantity, cost_basis: cost }) => [symbol, quantity, cost])
        .toSorted(),
    );
    const balances = await app.owner<{ sum: number }>(
      'select coalesce(sum(balance), 0)::float8 as sum from public.accounts where idp_id = $1',
      [member],
    );
    assert.equal(
      balances[0]!.sum,
      (expected.cash ?? []).reduce((sum, { amount }) => sum + amount, 0),
    );
    const again = await importing(member, body);
    assert.deepEqual([again.status, again.body.import_id], [200, null]);
  });
