import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { recordStatements } from '../../../test/support/statement-log.ts';
import { createSessionGate } from './session-gate.ts';

const demo = { sessionId: 'sess_1', isDemoAccount: true };

async function createGateFixture(t: Parameters<typeof recordStatements>[0], { strict = true } = {}) {
  const { database, owner } = await createTestDatabase(t);
  let time = 0;
  const gate = createSessionGate({ sql: database.service, strict, clock: () => time });
  const bind = () =>
    owner(
      `insert into public.demo_access_invitations (label, idp_user_id, used_at, session_id)
       values ('Ada', 'user_demo', now(), 'sess_1')`,
    );
  const revoke = () => owner('update public.demo_access_invitations set revoke_requested_at = now()');
  const statements = recordStatements(t);
  return {
    gate,
    bind,
    revoke,
    asked: statements,
    owner,
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

test('accepts an ordinary member without a query', async (t) => {
  const { gate, asked: statements } = await createGateFixture(t);
  assert.equal(await gate.isSessionAllowed({ sessionId: 'sess_2', isDemoAccount: false }), true);
  assert.deepEqual(statements, []);
});

test('accepts a session of the demo account only when an invitation names it', async (t) => {
  const { gate, bind } = await createGateFixture(t);
  assert.equal(await gate.isSessionAllowed(demo), false);
  await bind();
  assert.equal(await gate.isSessionAllowed(demo), true);
});

test('accepts an unbound session only when the gate is not strict', async (t) => {
  const { gate, bind, revoke } = await createGateFixture(t, { strict: false });
  assert.equal(await gate.isSessionAllowed(demo), true);
  gate.clear();
  await bind();
  await revoke();
  assert.equal(await gate.isSessionAllowed(demo), false, 'one whose invitation was revoked never does');
});

test('caches an admission for less than a second until a revocation elsewhere applies', async (t) => {
  const { gate, bind, revoke, asked: statements, wait } = await createGateFixture(t);
  await bind();
  assert.equal(await gate.isSessionAllowed(demo), true);
  await revoke();
  statements.length = 0;
  wait(499);
  assert.equal(await gate.isSessionAllowed(demo), true);
  assert.deepEqual(statements, []);
  wait(501);
  assert.equal(await gate.isSessionAllowed(demo), false);
  assert.equal(await gate.isSessionAllowed(demo), false);
  assert.equal(statements.length, 2, 'a rejection is not cached');
});

test('refreshes an admission in the background after half a second', async (t) => {
  const { database, owner } = await createTestDatabase(t);
  await owner(
    `insert into public.demo_access_invitations (label, idp_user_id, used_at, session_id)
     values ('Ada', 'user_demo', now(), 'sess_1')`,
  );
  const pendingQuery = Promise.withResolvers<void>();
  const renewed = Promise.withResolvers<void>();
  let time = 0;
  let reads = 0;
  const sql = {
    ...database.service,
    query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
      reads += 1;
      if (reads === 2) await pendingQuery.promise;
      const rows = await database.service.query<Row>(text, values);
      if (reads === 2) setImmediate(renewed.resolve);
      return rows;
    },
  };
  const gate = createSessionGate({ sql, strict: true, clock: () => time });
  assert.equal(await gate.isSessionAllowed(demo), true);
  time = 500;
  assert.equal(await gate.isSessionAllowed(demo), true);
  assert.equal(reads, 2, 'and it is still being read');
  pendingQuery.resolve();
  await renewed.promise;
  await owner('update public.demo_access_invitations set revoke_requested_at = now()');
  time = 1_499;
  assert.equal(await gate.isSessionAllowed(demo), true, 'what was read at 500 counts for a second');
  time = 1_500;
  assert.equal(await gate.isSessionAllowed(demo), false);
});

test('rejects at once after a revocation in this process, also against an earlier read', async (t) => {
  const { gate, bind, revoke, wait, owner } = await createGateFixture(t);
  await bind();
  assert.equal(await gate.isSessionAllowed(demo), true);
  wait(600);
  assert.equal(await gate.isSessionAllowed(demo), true); // a read is pending
  await revoke();
  gate.clear();
  assert.equal(await gate.isSessionAllowed(demo), false);
  await owner('select pg_sleep(0.05)'); // the old read has completed by now
  assert.equal(await gate.isSessionAllowed(demo), false);
});

test('accepts a session that was bound during the rejection of another request', async (t) => {
  const { database, owner } = await createTestDatabase(t);
  const pendingQuery = Promise.withResolvers<void>();
  const { service } = database;
  let reads = 0;
  const slow: typeof service = {
    ...service,
    query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
      reads += 1;
      const rows = await service.query<Row>(text, values);
      if (reads === 1) await pendingQuery.promise;
      return rows;
    },
  };
  const gate = createSessionGate({ sql: slow, strict: true });
  const first = gate.isSessionAllowed(demo);
  await eventually(() => reads === 1);
  await owner(
    `insert into public.demo_access_invitations (label, idp_user_id, used_at, session_id)
     select 'Ada', 'user_demo', now(), 'sess_1' from pg_sleep(0.05)`,
  );
  const second = gate.isSessionAllowed(demo);
  pendingQuery.resolve();
  assert.deepEqual([await first, await second], [false, true]);
});

test('fails after the admission expires when the database is unavailable', async (t) => {
  let time = 0;
  let isUnavailable = false;
  const { database, owner } = await createTestDatabase(t);
  const sql = {
    ...database.service,
    query: async <Row extends object>(text: string, values?: readonly unknown[]) => {
      if (isUnavailable) throw new Error('away');
      return database.service.query<Row>(text, values);
    },
  };
  await owner(
    `insert into public.demo_access_invitations (label, idp_user_id, used_at, session_id)
     values ('Ada', 'user_demo', now(), 'sess_1')`,
  );
  const gate = createSessionGate({ sql, strict: true, clock: () => time });
  assert.equal(await gate.isSessionAllowed(demo), true);
  isUnavailable = true;
  time = 999;
  assert.equal(await gate.isSessionAllowed(demo), true);
  time = 1_000;
  await assert.rejects(gate.isSessionAllowed(demo), { message: 'away' });
});
