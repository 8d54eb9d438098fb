import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createAccount, type InvestmentsApp, setUpInvestmentsApp } from '../../../../test/support/investments-app.ts';
import { HOLDING_LIMIT } from '../holdings/contract.ts';
import type { ImportRow } from './contract.ts';
import { MAX_IMPORT_BYTES, MAX_SEPARATORS } from './import-holdings.ts';
import { IMPORTS_PER_DAY, PREVIEWS_PER_MINUTE } from './routes.ts';

let app: InvestmentsApp;
setUpInvestmentsApp((started) => {
  app = started;
});

let memberCount = 0;
/** Adds a new member without accounts. */
async function addMember(): Promise<string> {
  memberCount += 1;
  await app.owner('insert into public.all_users (idp_id) values ($1)', [`user_import_${memberCount}`]);
  return `user_import_${memberCount}`;
}

const importing = (member: string, text: string, body: object = {}, query = '') =>
  app.call('POST', `/api/holdings/import${query}`, member, { text, ...body });
const previewing = (member: string, text: string, body: object = {}) => importing(member, text, body, '?dry_run=1');
const undoing = (member: string, id: string) => app.call('POST', `/api/holdings/import/${id}/undo`, member, {});
const listOutcomes = (rows: ImportRow[]) =>
  rows.map(({ lines, symbol, outcome, reason }) => [lines.join(), symbol, reason ?? outcome].join(' '));

/** Returns the stored rows of a member with every column. */
const readStored = async (member: string) => ({
  accounts: await app.owner('select * from public.accounts where idp_id = $1 order by name, currency', [member]),
  holdings: await app.owner('select * from public.manual_public_holdings where idp_id = $1 order by id', [member]),
});
const listHeld = (member: string) =>
  app.owner<Record<'name' | 'currency' | 'balance' | 'symbol' | 'quantity' | 'cost', string | null>>(
    `select a.name, a.currency, trim_scale(a.balance)::text as balance, h.symbol, trim_scale(h.quantity)::text as quantity,
            trim_scale(h.cost_basis)::text as cost
       from public.accounts a left join public.manual_public_holdings h on h.idp_id = a.idp_id and h.account_id = a.id
      where a.idp_id = $1 order by a.name, h.symbol`,
    [member],
  );

const fidelity = [
  'Account Number,Account Name,Symbol,Description,Quantity,Last Price,Current Value,Cost Basis Total,Average Cost Basis',
  'X12345678,Individual,AAPL,APPLE INC,10.0000000001,$200.00,"$2,000.00","$1,800.10",$180.01',
  'X12345678,Individual,AAPL,APPLE INC (MARGIN),5,$200.00,"$1,000.00",$900.20,$180.04',
  'X12345678,Individual,SPAXX**,HELD IN MONEY MARKET,,,$412.15,,',
  'X12345678,Individual,KO,COCA-COLA CO,bad,$60.00,$60.00,$50.00,$50.00',
  'X12345678,Individual,NOSUCHX,A PRIVATE FUND,3,$1.00,$3.00,$3.00,$1.00',
  '98765,Roth IRA,VOO,VANGUARD S&P 500 ETF,2,$500.00,"$1,000.00",--,--',
].join('\n');

test('previews an import without a change and then imports the same rows', async () => {
  const member = await addMember();
  const preview = await previewing(member, fidelity);
  assert.equal(preview.status, 200);
  const outcomes = ['4  new', '2,3 AAPL new', '6 NOSUCHX unknown', '7 VOO new'];
  assert.deepEqual(listOutcomes(preview.body.rows), outcomes);
  assert.deepEqual(
    [preview.body.format, preview.body.import_id, preview.body.errors],
    [
      'fidelity',
      null,
      [{ line: 5, column: 'Quantity', message: '“bad” is not a number. Use digits, such as 1234.56.' }],
    ],
  );
  assert.deepEqual(
    preview.body.accounts.map(({ id, name }: { id: string | null; name: string }) => [id, name]),
    [
      [null, 'Individual …5678'],
      [null, 'Roth IRA …8765'],
    ],
  );
  assert.deepEqual(await listHeld(member), []);
  const imported = await importing(member, fidelity, { plan: preview.body.plan });
  assert.deepEqual([imported.status, listOutcomes(imported.body.rows)], [200, outcomes]);
  assert.match(imported.body.import_id, /^[0-9a-f-]{36}$/);
  const individual = { name: 'Individual …5678', currency: 'USD', balance: '412.15' };
  assert.deepEqual(await listHeld(member), [
    { ...individual, symbol: 'AAPL', quantity: '15.0000000001', cost: '2700.3' },
    { name: 'Roth IRA …8765', currency: 'USD', balance: '0', symbol: 'VOO', quantity: '2', cost: null },
  ]);
});

test('changes nothing when the same file is imported again', async () => {
  const member = await addMember();
  await importing(member, fidelity);
  const stored = await readStored(member);
  const { status, body } = await importing(member, fidelity);
  assert.deepEqual(
    [status, listOutcomes(body.rows), body.import_id],
    [200, ['4  same', '2,3 AAPL same', '6 NOSUCHX unknown', '7 VOO same'], null],
  );
  assert.deepEqual(await readStored(member), stored);
});

const template = (rows: string): string => `Account,Symbol,Quantity,Cost basis,Currency\n${rows}`;

test('replaces or keeps differing figures by choice', async () => {
  const member = await addMember();
  await importing(
    member,
    template('Depot,AAPL,10,1000,USD\nDepot,KO,4,100,USD\nDepot,VOO,1,400,USD\nDepot,CASH,50,,USD\n'),
  );
  const changed = template('depot,AAPL,12,1200,USD\ndepot,KO,4,,USD\ndepot,CASH,75,,USD\n');
  const kept = await importing(member, changed, { existing: 'keep' });
  assert.deepEqual(listOutcomes(kept.body.rows), ['4  kept', '2 AAPL kept', '3 KO same']);
  assert.equal(kept.body.import_id, null);
  const { body } = await importing(member, changed);
  assert.deepEqual(listOutcomes(body.rows), ['4  changed', '2 AAPL changed', '3 KO same']);
  assert.deepEqual(body.accounts[0].unlisted, ['VOO']);
  assert.deepEqual(body.rows[1].previous, { quantity: 10, cost_basis: 1000, cash: null });
  const depot = { name: 'Depot', currency: 'USD', balance: '75' };
  assert.deepEqual(await listHeld(member), [
    { ...depot, symbol: 'AAPL', quantity: '12', cost: '1200' },
    { ...depot, symbol: 'KO', quantity: '4', cost: '100' },
    { ...depot, symbol: 'VOO', quantity: '1', cost: '400' },
  ]);
});

test('drops the cost when the quantity changes and the file has no cost', async () => {
  const member = await addMember();
  await importing(member, template('Depot,AAPL,10,1000,USD\n'));
  const { body } = await importing(member, template('Depot,AAPL,12,,USD\n'));
  assert.deepEqual([body.rows[0].outcome, body.rows[0].cost_basis], ['changed', null]);
});

test('restores every row on undo, also the parts of a merged holding', async () => {
  const member = await addMember();
  const account = await createAccount(app, member, { name: 'Depot', balance: 12.34 });
  const add = (symbol: string, quantity: number, cost: number | null) =>
    app.call('POST', '/api/investments/holdings', member, { account_id: account, symbol, quantity, cost_basis: cost });
  await add('AAPL', 1.5, 100);
  await add('AAPL', 2.25, null);
  await add('KO', 7, 70);
  // Dividends count as paid by the day of the last change.
  await app.owner(`update public.manual_public_holdings set quantity_changed_at = '2026-01-02' where idp_id = $1`, [
    member,
  ]);
  const before = await readStored(member);
  const file = template('Depot,AAPL,10,1000,USD\nDepot,CASH,500,,USD\nOther,VOO,1,,USD\nDepot,MSFT,3,,USD\n');
  const { body } = await importing(member, file);
  assert.equal((await readStored(member)).holdings.length, 4);
  assert.equal((await undoing(member, body.import_id)).status, 204);
  assert.deepEqual(await readStored(member), before);
  assert.equal((await undoing(member, body.import_id)).status, 204, 'a repeated undo has no effect');
  assert.deepEqual(await readStored(member), before);
});

test('rejects an undo when an account of the import has changed since', async () => {
  const member = await addMember();
  const first = (await importing(member, template('Depot,AAPL,10,1000,USD\n'))).body.import_id;
  const [{ id: holding }] = (await readStored(member)).holdings as [{ id: string }];
  await app.call('PATCH', `/api/investments/holdings/${holding}`, member, { quantity: 11 });
  const rejected = await undoing(member, first);
  assert.deepEqual(
    [rejected.status, rejected.body.code, rejected.body.message],
    [409, 'CONFLICT', 'Your holdings have changed since this import, so it was not undone. Change them one by one.'],
  );
  const second = (await importing(member, template('Depot,AAPL,12,1000,USD\n'))).body.import_id;
  assert.equal((await undoing(member, first)).status, 404, 'only the last import can be undone');
  assert.equal((await undoing('user_b', second)).status, 404);
  assert.equal((await undoing(member, 'nonsense')).status, 404);
  const other = await createAccount(app, member, { name: 'Unrelated' });
  assert.equal((await undoing(member, second)).status, 204, 'other accounts may change');
  assert.deepEqual(
    (await listHeld(member)).map(({ name, quantity }) => [name, quantity]),
    [
      ['Depot', '11'],
      ['Unrelated', null],
    ],
  );
  await app.call('DELETE', `/api/accounts/${other}`, member);
});

test('puts all rows into a chosen account and leaves out cash in another currency', async () => {
  const member = await addMember();
  const account = await createAccount(app, member, { name: 'All', currency: 'EUR', balance: 1 });
  const file = template('A,AAPL,1,10,USD\nB,AAPL,2,20,USD\nA,CASH,5,,EUR\nB,CASH,6,,USD\n');
  const { body } = await importing(member, file, { account_id: account });
  assert.deepEqual(listOutcomes(body.rows), ['4  changed', '5  cash_currency', '2,3 AAPL new']);
  assert.deepEqual(await listHeld(member), [
    { name: 'All', currency: 'EUR', balance: '5', symbol: 'AAPL', quantity: '3', cost: '30' },
  ]);
});

test('names each line of a sum that cannot be stored as an error', async () => {
  const member = await addMember();
  const lines = ['A,AAPL,600000000000,1,USD', 'A,CASH,600000000000000,,USD'];
  const { status, body } = await importing(member, template([...lines, ...lines, 'A,MSFT,1,1,USD', ''].join('\n')));
  assert.equal(status, 200);
  assert.deepEqual(listOutcomes(body.rows), ['6 MSFT new']);
  const sums = { AAPL: 'The lines of AAPL', cash: 'The lines of cash in USD' };
  assert.deepEqual(
    body.errors,
    [sums.AAPL, sums.cash, sums.AAPL, sums.cash].map((what, index) => ({
      line: index + 2,
      column: null,
      message: `${what} add up to more than can be stored. Correct them.`,
    })),
  );
  assert.deepEqual(body.lines, {
    total: 6,
    imported: 1,
    cash: 0,
    not_imported: 0,
    errors: 4,
    totals: 0,
    headers: 1,
    texts: 0,
  });
  assert.deepEqual(
    (await listHeld(member)).map(({ symbol, balance }) => [symbol, balance]),
    [['MSFT', '0']],
  );
});

test('makes an account for each further currency of cash', async () => {
  const member = await addMember();
  await importing(
    member,
    'Product,Symbol/ISIN,Quantity,Closing,Local value,,Value in EUR\n' +
      'CASH & CASH FUND & FTX CASH (EUR),,,,EUR,"10,50","10,50"\n' +
      'CASH & CASH FUND & FTX CASH (USD),,,,USD,"2,25","2,00"\n' +
      'CASH & CASH FUND & FTX CASH (CHF),,,,CHF,"0,00","0,00"\n',
  );
  assert.deepEqual(
    (await listHeld(member)).map(({ name, balance, currency }) => [name, balance, currency]),
    [
      ['Degiro', '10.5', 'EUR'],
      ['Degiro USD', '2.25', 'USD'],
    ],
  );
});

test('leaves the cost of a bond unknown when the file has a cost per unit', async () => {
  const member = await addMember();
  const { body } = await previewing(member, 'Symbol,Quantity,Avg cost\n91282CJZ5,1000,98.5\nAAPL,2,98.5\n');
  assert.deepEqual(
    body.rows.map(({ symbol, cost_basis: cost }: ImportRow) => [symbol, cost]),
    [
      ['91282CJZ5', null],
      ['AAPL', 197],
    ],
  );
  const withTotal = await previewing(member, 'Symbol,Quantity,Avg cost,Cost basis\n91282CJZ5,1000,98.5,985\n');
  assert.equal(withTotal.body.rows[0].cost_basis, 985);
});

test('shortens the name of a cash account when it is longer than a name may be', async () => {
  const member = await addMember();
  const name = 'x'.repeat(120);
  const { status } = await importing(member, template(`${name},CASH,5,,EUR\n${name},CASH,6,,USD\n`));
  assert.equal(status, 200);
  assert.deepEqual(
    (await listHeld(member)).map(({ name: stored }) => stored).toSorted(),
    [`${'x'.repeat(116)} USD`, name].toSorted(),
  );
});

test('reads share classes, former symbols, bonds and invisible characters, and no listing of another currency', async () => {
  const member = await addMember();
  const rows = ['BRK B,1,,USD', '91282CJZ5,1000,,USD', '“VOO”\u200b,1,,USD', 'AAPL,2,,EUR', 'AAPL,3,,'];
  const { body } = await previewing(member, template(rows.map((row) => `Depot,${row}\n`).join('')));
  assert.deepEqual(listOutcomes(body.rows), [
    '2 BRK.B new',
    '3 91282CJZ5 new',
    '4 VOO new',
    '5 AAPL other_currency',
    '6 AAPL new',
  ]);
});

test('rejects a confirmed plan when the account was deleted or changed since the preview', async () => {
  const member = await addMember();
  const account = await createAccount(app, member, { name: 'Depot' });
  const file = template('Depot,AAPL,10,1000,USD\n');
  const chosen = { account_id: account };
  const { plan } = (await previewing(member, file)).body;
  const { plan: planOfChosen } = (await previewing(member, file, chosen)).body;
  await app.call('DELETE', `/api/accounts/${account}`, member);
  const rejected = await importing(member, file, { plan });
  assert.deepEqual([rejected.status, rejected.body.code], [409, 'CONFLICT']);
  assert.equal((await importing(member, file, { ...chosen, plan: planOfChosen })).status, 404);
  assert.deepEqual(await readStored(member), { accounts: [], holdings: [] });
});

test('imports once when two identical imports run at the same time', async () => {
  const member = await addMember();
  const results = await Promise.all([
    importing(member, fidelity),
    importing(member, fidelity),
    importing(member, fidelity),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(results.filter(({ body }) => body.import_id !== null).length, 1);
  const { accounts, holdings } = await readStored(member);
  assert.deepEqual([accounts.length, holdings.length], [2, 2]);
});

test('rejects connected accounts and accounts of others', async () => {
  const member = await addMember();
  const file = template('Depot,AAPL,10,1000,USD\n');
  const [{ id }] = (await app.owner(
    `insert into public.accounts (idp_id, name, kind) values ($1, 'Sample', 'brokerage') returning id`,
    [member],
  )) as [{ id: string }];
  const connected = await importing(member, file, { account_id: id });
  assert.deepEqual([connected.status, connected.body.code], [409, 'CONFLICT']);
  assert.equal((await importing('user_b', file, { account_id: id })).status, 404);
});

test('says in words why a file cannot be imported', async () => {
  const getMessage = async (text: string, body: object = {}) => {
    const response = await importing('user_b', text, body);
    return [response.status, response.body.message];
  };
  assert.deepEqual(await getMessage('Name\nApple'), [
    400,
    'The file has no table of holdings or transactions. It needs a header, and rows with a security and a quantity.',
  ]);
  assert.deepEqual(await getMessage('PK\u0003\u0004'), [
    400,
    'This is not a CSV file. Open it in a spreadsheet and save it as CSV.',
  ]);
  assert.deepEqual(await getMessage(template('D,AAPL,1,,USD\n'.repeat(10_001))), [
    400,
    'The file has more than 10,000 rows. Import fewer at a time.',
  ]);
  for (const separator of ['\n', '\r', ',', ';', '\t'])
    assert.deepEqual(await getMessage(template(separator.repeat(MAX_SEPARATORS))), [
      400,
      'The file has too many cells. Delete its empty rows and columns.',
    ]);
  assert.deepEqual(await getMessage(template(`D,AAPL,1,,USD\n`).padEnd(MAX_IMPORT_BYTES + 1)), [
    413,
    'The file is larger than 1 MB. Export fewer accounts, or a shorter period.',
  ]);
  const statuses = [
    (await importing('user_b', '')).status,
    (await importing('user_b', 'x', { other: 1 })).status,
    (await importing('user_b', 'x', { account_id: 'x' })).status,
    (await importing('user_b', 'x', {}, '?dry_run=yes')).status,
    (await importing('user_b', 'x'.repeat(7 * MAX_IMPORT_BYTES))).status,
  ];
  assert.deepEqual(statuses, [400, 400, 400, 400, 413]);
});

test('imports nothing when the limit of holdings would be exceeded', async () => {
  const member = await addMember();
  const account = await createAccount(app, member, { name: 'Depot' });
  await app.owner(
    `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
     select $1, $2, 'AAPL', 1 from generate_series(1, $3::int)`,
    [member, account, HOLDING_LIMIT],
  );
  const rejected = await importing(member, template('Depot,KO,1,,USD\n'));
  assert.deepEqual(
    [rejected.status, rejected.body.code, rejected.body.limit, rejected.body.message],
    [
      403,
      'LIMIT_REACHED',
      HOLDING_LIMIT,
      `You can have ${HOLDING_LIMIT} holdings. This import would exceed the limit.`,
    ],
  );
  const merged = await importing(member, template('Depot,AAPL,7,,USD\n'));
  assert.deepEqual([merged.status, (await readStored(member)).holdings.length], [200, 1]);
});

test('counts imported holdings as added and undone ones as withdrawn, never as a gain', async () => {
  const member = await addMember();
  await app.owner(
    `insert into public.net_worth_snapshots (idp_id, d, currency, cash, investments)
     values ($1, current_date - 2, 'USD', 0, 0)`,
    [member],
  );
  const readChange = async () => {
    const { base } = (await app.call('GET', '/api/net-worth', member)).body;
    const [{ flows, gain }] = base.changes;
    return { total: base.total, flows, gain };
  };
  const { import_id: id } = (await importing(member, fidelity)).body;
  const { total, ...change } = await readChange();
  assert.ok(total > 1000);
  assert.deepEqual(change, { flows: total, gain: 0 });
  assert.equal((await undoing(member, id)).status, 204);
  assert.deepEqual(await readChange(), { total: 0, flows: 0, gain: 0 });
});

test('answers 429 only to imports beyond those of a day', async () => {
  const member = await addMember();
  for (let count = 0; count < IMPORTS_PER_DAY; count += 1) await importing(member, 'no table');
  const rejected = await importing(member, fidelity);
  assert.deepEqual([rejected.status, rejected.body.code], [429, 'RATE_LIMITED']);
  assert.equal((await previewing(member, fidelity)).status, 200);
  assert.equal((await importing(await addMember(), fidelity)).status, 200);
});

test('answers 429 only to previews beyond those of a minute', async () => {
  const member = await addMember();
  for (let count = 0; count < PREVIEWS_PER_MINUTE; count += 1)
    assert.equal((await previewing(member, fidelity)).status, 200);
  const rejected = await previewing(member, fidelity);
  assert.deepEqual([rejected.status, rejected.body.code], [429, 'RATE_LIMITED']);
  assert.equal((await importing(member, fidelity)).status, 200);
});
