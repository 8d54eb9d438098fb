import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test, type TestContext } from 'vitest';
import { createTestDatabase } from './support/database.ts';

/** Creates two members, the first with a connected account and a holding. `a` and `b` run SQL in a member's role. */
async function createConnectedRows(t: TestContext) {
  const { owner, database } = await createTestDatabase(t);
  const connection = randomUUID();
  const account = randomUUID();
  await owner(`insert into public.all_users (idp_id) values ('user_a'), ('user_b')`);
  await owner(
    `insert into public.connections (idp_id, id, kind, provider, external_id, institution)
     values ('user_a', $1, 'bank', 'plaid', 'item', 'Bank')`,
    [connection],
  );
  await owner(
    `insert into public.accounts (idp_id, id, name, kind, connection_id, external_id, balance)
     values ('user_a', $1, 'Checking', 'bank', $2, 'acc', 10)`,
    [account, connection],
  );
  await owner(
    `insert into public.connected_holdings (idp_id, account_id, external_id, name, quantity, currency)
     values ('user_a', $1, 'sec', 'An option', 1, 'USD')`,
    [account],
  );
  await owner(
    `insert into public.tracked_tickers_latest (symbol, name, asset_type, currency, current_price, source)
     values ('S1', 'One', 'stock', 'USD', 10, 'simulator')`,
  );
  return { account, a: database.asMember({ sub: 'user_a' }), b: database.asMember({ sub: 'user_b' }) };
}

describe('SQL in the member’s role', () => {
  test('reads only the member’s own connected accounts and holdings', async (t) => {
    const { a, b } = await createConnectedRows(t);

    assert.equal((await a.query('select from public.accounts')).length, 1);
    assert.equal((await a.query('select from public.connected_holdings')).length, 1);
    for (const view of ['accounts', 'connected_holdings', 'connections', 'connected_accounts'])
      assert.deepEqual(await b.query(`select from public.${view}`), [], view);
  });

  test.for([
    `update public.accounts set balance = 1e6 returning id`,
    `update public.accounts set name = 'Mine' returning id`,
    `delete from public.accounts returning id`,
  ])('changes no connected account: %s', async (statement, t) => {
    const { a } = await createConnectedRows(t);

    assert.deepEqual(await a.query(statement), []);
  });

  test('may not write other connected data', async (t) => {
    const { a, account } = await createConnectedRows(t);

    for (const statement of [
      `update public.connected_holdings set quantity = 2`,
      `delete from public.connected_holdings`,
      `insert into public.connected_holdings (idp_id, account_id, external_id, name, quantity, currency)
         values ('user_a', '${account}', 'x', 'x', 1, 'USD')`,
      `update public.connections set status = 'active'`,
      `delete from public.connections`,
      `select from public.connection_secrets`,
      `select from public.connection_attempts`,
      `update public.accounts set kind = 'manual'`,
      `insert into public.accounts (idp_id, name, kind) values ('user_a', 'x', 'bank')`,
    ])
      await assert.rejects(a.query(statement), { code: '42501' }, statement);
  });

  test('may not add a manual holding to a connected account', async (t) => {
    const { a, account } = await createConnectedRows(t);

    const insert = `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity)
      values ('user_a', $1, 'S1', 1)`;
    await assert.rejects(a.query(insert, [account]), { code: '23503' });
  });
});
