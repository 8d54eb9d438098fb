import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { createTestDatabase } from './support/database.ts';

test('lets SQL in the member’s role only read connected accounts and holdings', async (t) => {
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
  const [a, b] = ['user_a', 'user_b'].map((sub) => database.asMember({ sub }));
  const countVisibleRows = async (sql: string) => (await a!.query(sql)).length;
  assert.equal(await countVisibleRows('select from public.accounts'), 1);
  assert.equal(await countVisibleRows('select from public.connected_holdings'), 1);
  for (const view of ['accounts', 'connected_holdings', 'connections', 'connected_accounts'])
    assert.deepEqual(await b!.query(`select from public.${view}`), [], view);

  assert.equal(await countVisibleRows(`update public.accounts set balance = 1e6 returning id`), 0);
  assert.equal(await countVisibleRows(`update public.accounts set name = 'Mine' returning id`), 0);
  assert.equal(await countVisibleRows(`delete from public.accounts returning id`), 0);
  const denied = { code: '42501' };
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
    await assert.rejects(a!.query(statement), denied, statement);
  // Manual entries into an account that is not manual are rejected, even from its owner.
  await assert.rejects(
    a!.query(
      `insert into public.manual_public_holdings (idp_id, account_id, symbol, quantity) values ('user_a', $1, 'S1', 1)`,
      [account],
    ),
    { code: '23503' },
  );
});
