import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type InvestmentsApp, setUpInvestmentsApp } from '../../../../test/support/investments-app.ts';
import type { ImportResponse, ImportRow } from './contract.ts';
import { KEPT_HEADERS } from './queries.ts';

let app: InvestmentsApp;
setUpInvestmentsApp((started) => {
  app = started;
});

let memberCount = 0;
/** Adds a new member without accounts. */
async function addMember(): Promise<string> {
  memberCount += 1;
  await app.owner('insert into public.all_users (idp_id) values ($1)', [`user_choices_${memberCount}`]);
  return `user_choices_${memberCount}`;
}

const importing = (member: string, text: string, body: object = {}, query = '') =>
  app.call('POST', `/api/holdings/import${query}`, member, { text, ...body });
const previewing = (member: string, text: string, body: object = {}) => importing(member, text, body, '?dry_run=1');
const listFigures = (rows: ImportRow[]) =>
  rows.map(({ symbol, quantity, cost_basis: cost, reason }) => [symbol, quantity, cost, reason].join(' '));
const readKept = (member: string) =>
  app.owner<{ columns: string[] | null; kind: string | null }>(
    'select columns, kind from public.import_columns where idp_id = $1 order by changed_at',
    [member],
  );
const assertSum = ({ lines }: ImportResponse) =>
  assert.equal(
    lines.imported + lines.cash + lines.not_imported + lines.errors + lines.totals + lines.headers + lines.texts,
    lines.total,
  );

const unknownColumns = 'Instrument,Held,Paid in total,Ccy\nAAPL,12,1800,USD\nMSFT,3,900,USD\n';
const columns = ['symbol', 'quantity', 'cost', 'currency'];

test('previews no row and imports nothing while a column that matters is not recognised', async () => {
  const member = await addMember();
  const preview = await previewing(member, unknownColumns);
  assert.equal(preview.status, 200);
  assert.deepEqual([preview.body.rows, preview.body.accounts], [[], []]);
  assert.ok(preview.body.table.missing.length > 0);
  assert.deepEqual(preview.body.table.header, ['Instrument', 'Held', 'Paid in total', 'Ccy']);
  assertSum(preview.body);
  const rejected = await importing(member, unknownColumns);
  assert.deepEqual([rejected.status, rejected.body.issues[0].path], [400, 'columns']);
});

test('uses the columns of the last import for the same header unless the request has some', async () => {
  const member = await addMember();
  const preview = await previewing(member, unknownColumns, { columns });
  assert.deepEqual(listFigures(preview.body.rows), ['AAPL 12 1800 ', 'MSFT 3 900 ']);
  assert.deepEqual([preview.body.table.is_kept, await readKept(member)], [false, []], 'a preview keeps nothing');
  const imported = await importing(member, unknownColumns, { columns, plan: preview.body.plan });
  assert.equal(imported.status, 200);
  assert.deepEqual(await readKept(member), [{ columns, kind: null }]);
  const again = await previewing(member, unknownColumns.toUpperCase().replace('12,', '13,'));
  assert.deepEqual(listFigures(again.body.rows), ['AAPL 13 1800 ', 'MSFT 3 900 ']);
  assert.deepEqual([again.body.table.columns, again.body.table.is_kept], [columns, true]);
  const other = await previewing(await addMember(), unknownColumns);
  assert.deepEqual(other.body.rows, [], 'the columns of another member do not count');
  const otherColumns = ['symbol', 'cost', 'quantity', 'currency'];
  const changed = await previewing(member, unknownColumns, { columns: otherColumns });
  assert.deepEqual(listFigures(changed.body.rows), ['AAPL 1800 12 ', 'MSFT 900 3 ']);
  assert.equal(changed.body.table.is_kept, false);
});

test('detects the columns again when the kept ones were deleted', async () => {
  const member = await addMember();
  const other = await addMember();
  const text = 'Symbol,Quantity,Cost basis\nAAPL,12,1800\n';
  const swapped = { columns: ['symbol', 'cost', 'quantity'] };
  for (const owner of [member, other]) await importing(owner, text, { ...swapped, kind: 'positions' });
  const { header_id: headerId, is_kept: isKept } = (await previewing(member, text)).body.table;
  assert.equal(isKept, true);
  const remove = () => app.call('DELETE', `/api/holdings/import-columns/${headerId}`, member);
  assert.equal((await remove()).status, 204);
  const { body } = await previewing(member, text);
  assert.deepEqual(body.table.columns, ['symbol', 'quantity', 'cost']);
  assert.deepEqual([body.table.is_kept, body.table.header_id, await readKept(member)], [false, headerId, []]);
  assert.deepEqual((await readKept(other)).length, 1, 'the columns of another member stay');
  assert.equal((await remove()).status, 204, 'a repeated call has no further effect');
  assert.equal((await app.call('DELETE', '/api/holdings/import-columns/x', member)).status, 400);
});

test('rejects columns that do not fit the file', async () => {
  const member = await addMember();
  for (const wrong of [
    ['symbol', 'quantity'],
    [...columns, 'ignore'],
  ]) {
    const rejected = await previewing(member, unknownColumns, { columns: wrong });
    assert.deepEqual(
      [rejected.status, rejected.body.message],
      [400, 'The file has 4 columns. Choose a meaning for each.'],
    );
  }
  for (const body of [{ columns: ['shares'] }, { columns: [] }, { kind: 'trades' }, { securities: [{ text: 'x' }] }])
    assert.equal((await previewing(member, unknownColumns, body)).status, 400);
});

test('drops the header that changed first when a member has more than the limit', async () => {
  const member = await addMember();
  const toFile = (index: number) => `Symbol,Quantity,Note ${index}\nAAPL,${index + 1},x\n`;
  const choice = { columns: ['symbol', 'quantity', 'ignore'] };
  for (let index = 0; index < KEPT_HEADERS; index += 1) await importing(member, toFile(index), choice);
  // The first header becomes the newest.
  await importing(member, toFile(0), choice);
  assert.equal((await readKept(member)).length, KEPT_HEADERS);
  await importing(member, toFile(KEPT_HEADERS), choice);
  assert.equal((await readKept(member)).length, KEPT_HEADERS);
  const isKept = async (index: number) => (await previewing(member, toFile(index))).body.table.is_kept;
  assert.deepEqual(
    [await isKept(0), await isKept(1), await isKept(2), await isKept(KEPT_HEADERS)],
    [true, false, true, true],
  );
});

test('keeps the columns once when two imports run at the same time', async () => {
  const member = await addMember();
  const results = await Promise.all([1, 2, 3].map(() => importing(member, unknownColumns, { columns })));
  assert.deepEqual(
    results.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(results.filter(({ body }) => body.import_id !== null).length, 1);
  assert.deepEqual(await readKept(member), [{ columns, kind: null }]);
});

test('exports the kept columns and deletes them with the member', async () => {
  const member = await addMember();
  await importing(member, unknownColumns, { columns });
  const exported = app.investments.memberRows!['public.import_columns']!;
  assert.ok('rows' in exported);
  const [row] = await app.owner<{ idp_id: string; columns: string[] }>(exported.rows, [member]);
  assert.deepEqual([row!.idp_id, row!.columns], [member, columns]);
  await app.investments.onUserDeleted!(app.database.service, member);
  assert.deepEqual(await readKept(member), []);
});

test('asks for the kind once when the rows do not say it', async () => {
  const member = await addMember();
  const positions = 'Symbol,Quantity\nAAPL,12\n';
  const imported = await importing(member, positions, { kind: 'positions' });
  assert.deepEqual([imported.status, imported.body.kind], [200, 'positions']);
  assert.deepEqual(await readKept(member), [{ columns: null, kind: 'positions' }]);
  await importing(member, positions, { columns: ['symbol', 'quantity'] });
  assert.deepEqual(await readKept(member), [{ columns: ['symbol', 'quantity'], kind: 'positions' }]);
});

const comdirect =
  'Stück/Nom.;Bezeichnung;WKN;Währung;Kaufwert in EUR\n10;APPLE INC.;865985;EUR;"1.500,00"\n5;MICROSOFT;870747;EUR;"900,00"\n';

test('takes the choice of the member for a security that has a name only', async () => {
  const member = await addMember();
  const preview = await previewing(member, comdirect);
  assert.deepEqual(
    preview.body.rows.map(({ search, reason }: ImportRow) => [search, reason]),
    [
      ['APPLE INC.', 'unknown'],
      ['MICROSOFT', 'unknown'],
    ],
  );
  assert.deepEqual([preview.body.lines.imported, preview.body.lines.not_imported], [0, 2]);
  assertSum(preview.body);
  const securities = [
    { text: 'APPLE INC.', symbol: 'aapl' },
    { text: 'MICROSOFT', symbol: 'NOSUCHX' },
  ];
  const chosen = await importing(member, comdirect, { securities });
  assert.deepEqual(
    chosen.body.rows.map(({ symbol, search, reason, outcome }: ImportRow) => [symbol, search, reason, outcome]),
    [
      ['AAPL', 'APPLE INC.', null, 'new'],
      ['MICROSOFT', 'MICROSOFT', 'unknown', 'left_out'],
    ],
  );
  assert.deepEqual([chosen.body.lines.imported, chosen.body.lines.not_imported], [1, 1]);
});

test('counts a line once, also when its row is left out', async () => {
  const member = await addMember();
  const text =
    'Account,Symbol,Quantity,Cost basis,Currency\nA,AAPL,1,10,USD\nA,AAPL,2,20,USD\nA,NOSUCHX,1,,USD\nA,KO,bad,,USD\n' +
    'A,CASH,5,,USD\nA,CASH,6,,EUR\n';
  const { body } = await importing(member, text);
  assert.deepEqual(body.lines, {
    total: 7,
    imported: 2,
    cash: 2,
    not_imported: 1,
    errors: 1,
    totals: 0,
    headers: 1,
    texts: 0,
  });
  const kept = await importing(member, text.replaceAll('A,AAPL', 'A,MSFT').replace('CASH,5', 'CASH,9'), {
    existing: 'keep',
  });
  assert.deepEqual(kept.body.lines, {
    total: 7,
    imported: 2,
    cash: 1,
    not_imported: 2,
    errors: 1,
    totals: 0,
    headers: 1,
    texts: 0,
  });
});

test('keeps holdings of two currencies in one account when a file has both', async () => {
  const member = await addMember();
  const text =
    'Account,Symbol,Quantity,Cost basis,Currency\nDepot,AAPL,1,10,USD\nDepot,VUSA.L,2,20,GBP\nDepot,CASH,5,,USD\n';
  await importing(member, text);
  const listAccounts = () =>
    app.owner<{ name: string; currency: string; balance: string; symbols: string[] }>(
      `select a.name, a.currency, trim_scale(a.balance)::text as balance,
              array(select h.symbol from public.manual_public_holdings h where h.account_id = a.id order by 1) as symbols
         from public.accounts a where a.idp_id = $1 order by a.name`,
      [member],
    );
  const depot = { name: 'Depot', currency: 'USD', balance: '5', symbols: ['AAPL', 'VUSA.L'] };
  assert.deepEqual(await listAccounts(), [depot]);
  // A file of the same account whose first position is in another currency.
  const pounds = 'Account,Symbol,Quantity,Cost basis,Currency\nDepot,VUSA.L,3,20,GBP\nDepot,CASH,7,,GBP\n';
  await importing(member, pounds);
  assert.deepEqual(await listAccounts(), [depot, { name: 'Depot GBP', currency: 'GBP', balance: '7', symbols: [] }]);
});

test('answers 400 or 404 and keeps nothing when a choice names rows of another member', async () => {
  const member = await addMember();
  const other = await addMember();
  await importing(other, 'Account,Symbol,Quantity\nTheirs,AAPL,1\n', { columns: ['account', 'symbol', 'quantity'] });
  const [account] = await app.owner<{ id: string }>('select id from public.accounts where idp_id = $1', [other]);
  const rejected = await importing(member, unknownColumns, { columns, account_id: account!.id });
  assert.equal(rejected.status, 404);
  assert.deepEqual(await readKept(member), []);
  assert.equal((await readKept(other)).length, 1);
});
