import assert from 'node:assert/strict';
import { test } from 'vitest';
import pino from 'pino';
import { connect, connectBrokerage, startConnectionsApp } from '../../../test/support/connections-app.ts';
import { isDistributedRun } from '../../../test/support/database.ts';
import { findBrokerageUser } from './brokerage/brokerage-users.ts';
import { DecryptionError, createKeyRing } from './key-ring.ts';
import { findStoredConnection } from './queries.ts';
import { rotateKeys } from './rotate-keys.ts';
import { decryptFrom } from './encrypt-column.ts';
import { SYNC_CONNECTION } from './sync-connection.ts';

test('encrypts everything with the new key once and reports rows without a key', async (t) => {
  const app = await startConnectionsApp({ key: 'aa'.repeat(32) });
  t.onTestFinished(() => app.close());
  const { id } = await connect(app, 'user_a');
  const context = { sql: app.database.service, logger: pino({ level: 'silent' }) };
  const ring = createKeyRing('bb'.repeat(32), ['aa'.repeat(32)]);
  assert.deepEqual(await rotateKeys({ ...context, ring }), { reencrypted: 2, undecryptable: 0 });
  assert.deepEqual(await rotateKeys({ ...context, ring }), { reencrypted: 0, undecryptable: 0 });
  const newKeyRing = createKeyRing('bb'.repeat(32));
  const { sealed, idp_id: idpId } = (await findStoredConnection(context.sql, id))!;
  const cell = { column: 'connection_secrets.sealed', idpId, row: id } as const;
  assert.match(decryptFrom(newKeyRing, cell, sealed!), /^access-sandbox-/);
  assert.deepEqual(await rotateKeys({ ...context, ring: createKeyRing('cc'.repeat(32)) }), {
    reencrypted: 0,
    undecryptable: 2,
  });
});

test('encrypts the brokerage user again and keeps it usable', async (t) => {
  const app = await startConnectionsApp({ key: 'aa'.repeat(32) });
  t.onTestFinished(() => app.close());
  await connectBrokerage(app, 'user_a');
  const sql = app.database.service;
  const logger = pino({ level: 'silent' });
  const before = await findBrokerageUser({ sql, logger, ring: createKeyRing('aa'.repeat(32)) }, 'user_a');
  const ring = createKeyRing('bb'.repeat(32), ['aa'.repeat(32)]);
  // The connection, its attempt and the member's user.
  assert.deepEqual(await rotateKeys({ sql, logger, ring }), { reencrypted: 3, undecryptable: 0 });
  const newKeyRing = createKeyRing('bb'.repeat(32));
  assert.deepEqual(await findBrokerageUser({ sql, logger, ring: newKeyRing }, 'user_a'), before);
  assert.match(before!.userSecret, /^user-secret-sandbox-/);
});

test('does not decrypt access that was moved to another member’s row', async (t) => {
  const app = await startConnectionsApp();
  t.onTestFinished(() => app.close());
  if (isDistributedRun()) return t.skip('no statement copies from one member to another there');
  const a = await connect(app, 'user_a');
  const b = await connect(app, 'user_b');
  await app.owner(
    `update public.connection_secrets s set sealed = o.sealed from public.connection_secrets o
      where s.idp_id <> o.idp_id`,
  );
  const holdings = async (member: string) => (await app.call('GET', '/api/investments/holdings', member)).body;
  const before = await holdings('user_a');
  for (const { id } of [a, b])
    await assert.rejects(
      async () => app.connections.tasks![SYNC_CONNECTION]!({ connection_id: id } as never, {} as never),
      DecryptionError,
    );
  assert.deepEqual(await holdings('user_a'), before);
  assert.equal((await app.call('DELETE', `/api/connections/${a.id}`, 'user_a')).status, 204);
  assert.deepEqual(
    await app.owner('select from public.connection_revocations'),
    [],
    'no other member’s access is revoked',
  );
  assert.match(app.readLog(), /failed to decrypt a credential; aggregator access not revoked/);
});
