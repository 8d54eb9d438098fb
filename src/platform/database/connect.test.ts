// @module-tag alone
// A process prepares at most 500 statements, which other tests would use up.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { AppError } from '../../errors.ts';
import { connectDatabase } from './connect.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await db.owner(`
    create table public.notes (id int primary key, owner text not null,
      body text not null unique deferrable initially deferred);
    alter table public.notes enable row level security;
    grant select, insert, update, delete on public.notes to authenticated;
    create policy own on public.notes to authenticated
      using (owner = ((select auth.jwt()) ->> 'sub')) with check (owner = ((select auth.jwt()) ->> 'sub'));
    create table public.vault (id int primary key);
    insert into public.notes values (1, 'user_a', 'a1'), (2, 'user_b', 'b1')`);
});
afterAll(() => db.drop());

const whoami = `select current_user::text as role, current_setting('request.jwt.claims', true) as claims`;

test('lets a member read and change only their own rows', async () => {
  const a = db.database.asMember({ sub: 'user_a', sid: 'sess_1' });
  assert.deepEqual(await a.query('select id from public.notes'), [{ id: 1 }]);
  assert.deepEqual(await a.query('update public.notes set body = body returning id'), [{ id: 1 }]);
  await assert.rejects(a.query(`insert into public.notes values (3, 'user_b', 'x')`), { code: '42501' });
  await assert.rejects(a.query('select * from public.vault'), {
    code: '42501',
    message: 'permission denied for table vault',
  });
  assert.deepEqual(await a.query(`select auth.jwt() as claims`), [
    { claims: { sub: 'user_a', sid: 'sess_1', role: 'authenticated' } },
  ]);
});

test('runs service statements without row-level security and claims', async () => {
  assert.equal((await db.database.service.query('select id from public.notes')).length, 2);
  assert.deepEqual(await db.database.service.query(`select current_user::text as role, auth.jwt() as claims`), [
    { role: 'service_role', claims: null },
  ]);
});

test('throws a statement’s own error and clears the member’s identity', async (t) => {
  const single = connectDatabase(db.urls, { memberConnections: 1 });
  t.onTestFinished(() => single.close());
  const a = single.asMember({ sub: 'user_a' });
  await assert.rejects(a.query('select 1 / 0'), { code: '22012' });
  await assert.rejects(a.query('selec 1'), { code: '42601' });
  await assert.rejects(a.query('select 1; select 2'), { code: '42601' });
  await assert.rejects(a.query('commit; select 1'), { code: '42601' });
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  await assert.rejects(a.query('select $1::jsonb', [cycle]), TypeError);
  await assert.rejects(a.query('select $1', []), { code: '08P01' });
  assert.deepEqual(await single.asMember({ sub: 'user_b' }).query('select id from public.notes'), [{ id: 2 }]);
  const [identityRow] = await single.asMember({ sub: 'user_c' }).query<{ role: string; claims: string }>(whoami);
  assert.deepEqual(
    [identityRow?.role, JSON.parse(identityRow?.claims ?? '')],
    ['authenticated', { sub: 'user_c', role: 'authenticated' }],
  );
});

test('has only the login’s rights when a statement ends its own transaction', async (t) => {
  const single = connectDatabase(db.urls, { memberConnections: 1 });
  t.onTestFinished(() => single.close());
  const a = single.asMember({ sub: 'user_a' });
  await a.query('rollback');
  await assert.rejects(
    a.transaction(async (sql) => {
      await sql.query('commit');
      await sql.query('select id from public.notes');
    }),
    { code: '42501' },
  );
  assert.deepEqual(await single.asMember({ sub: 'user_b' }).query('select id from public.notes'), [{ id: 2 }]);
});

test('fails a statement when a constraint fails at commit', async () => {
  const a = db.database.asMember({ sub: 'user_a' });
  await assert.rejects(a.query(`insert into public.notes values (10, 'user_a', 'a1')`), { code: '23505' });
  assert.deepEqual(await a.query('select id from public.notes where id = 10'), []);
});

test('reads nothing with the bare login when no role is set', async () => {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: db.urls.authenticator });
  await client.connect();
  try {
    await assert.rejects(client.query('select * from public.notes'), { code: '42501' });
    await assert.rejects(client.query('set role service_role'), { code: '42501' });
    await assert.rejects(client.query('set role tally_owner'), { code: '42501' });
  } finally {
    await client.end();
  }
});

test('returns each member’s own rows when many share few connections', async (t) => {
  const smallPool = connectDatabase(db.urls, { memberConnections: 3 });
  t.onTestFinished(() => smallPool.close());
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => {
      const sub = index % 2 ? 'user_a' : 'user_b';
      const sql = smallPool.asMember({ sub });
      if (index % 7 === 0)
        return sql.query('select 1 / 0').then(
          () => 'no error',
          () => 'failed',
        );
      return sql
        .query<{ owner: string }>('select owner from public.notes')
        .then((rows) => rows.every((row) => row.owner === sub) && rows.length === 1);
    }),
  );
  assert.ok(answers.every((answer, index) => answer === (index % 7 === 0 ? 'failed' : true)));
});

test('commits or rolls back a whole transaction for either role', async () => {
  const a = db.database.asMember({ sub: 'user_a' });
  await assert.rejects(
    a.transaction(async (sql) => {
      await sql.query(`insert into public.notes values (20, 'user_a', 'kept?')`);
      throw new Error('changed my mind');
    }),
    /changed my mind/,
  );
  assert.deepEqual(await a.query('select id from public.notes where id = 20'), []);
  const id = await db.database.service.transaction(
    async (sql) =>
      (await sql.query<{ id: number }>(`insert into public.notes values (21, 'user_a', 'kept') returning id`))[0]?.id,
  );
  assert.equal(id, 21);
  assert.deepEqual(await a.query('delete from public.notes where id = 21 returning id'), [{ id: 21 }]);
});

test('applies policies only to the member’s statements of a shared transaction', async () => {
  const claims = { sub: 'user_a', sid: 'sess_1' };
  const roles = await db.database.transactionAs(claims, async ({ member, service }) => {
    const identityRows = [await member.query(whoami), await service.query('select current_user::text as role')];
    await member.query(`insert into public.notes values (25, 'user_a', 'by the member')`);
    await service.query(`insert into public.notes values (26, 'user_b', 'by the service')`);
    assert.deepEqual(await member.query('select id from public.notes where id in (25, 26)'), [{ id: 25 }]);
    return identityRows.flat();
  });
  assert.deepEqual(roles, [
    { role: 'authenticated', claims: JSON.stringify({ ...claims, role: 'authenticated' }) },
    { role: 'service_role' },
  ]);
  assert.equal((await db.owner('delete from public.notes where id in (25, 26) returning id')).length, 2);
});

test('rolls back a member’s change together with the service’s writes', async () => {
  const insertBoth = (memberId: string, serviceId: string) =>
    db.database.transactionAs({ sub: 'user_a' }, async ({ member, service }) => {
      await service.query(`insert into public.notes values (27, 'user_b', 'first')`);
      await member.query(`insert into public.notes values (28, '${memberId}', 'second')`);
      await service.query(serviceId);
    });
  await assert.rejects(insertBoth('user_b', 'select 1'), { code: '42501' }, 'another member’s row');
  await assert.rejects(insertBoth('user_a', 'select 1 / 0'), { code: '22012' });
  assert.deepEqual(await db.owner('select id from public.notes where id in (27, 28)'), []);
  const member = await db.database.transactionAs({ sub: 'user_a' }, async (handles) => handles.member);
  await assert.rejects(member.query('select 1'), /has ended/);
});

test('prevents a member’s statement from using the service’s role', async () => {
  const takeRole = db.database.transactionAs({ sub: 'user_a' }, ({ member }) =>
    member.query(`select set_config('role', 'service_role', true)`),
  );
  await assert.rejects(takeRole, { code: '42501' });
});

test('does not commit when an error in the transaction is swallowed', async () => {
  const a = db.database.asMember({ sub: 'user_a' });
  await assert.rejects(
    a.transaction(async (sql) => {
      await sql.query(`insert into public.notes values (30, 'user_a', 'half')`);
      await sql.query('select 1 / 0').catch(() => {});
    }),
    /rolled back/,
  );
  assert.deepEqual(await a.query('select id from public.notes where id = 30'), []);
});

test('rolls back only a nested transaction when it fails', async () => {
  const a = db.database.asMember({ sub: 'user_a' });
  await a.transaction(async (sql) => {
    await sql.query(`insert into public.notes values (40, 'user_a', 'outer')`);
    await assert.rejects(
      sql.transaction((inner) => inner.query(`insert into public.notes values (40, 'user_a', 'inner')`)),
      { code: '23505' },
    );
    await sql.transaction((inner) => inner.query(`insert into public.notes values (41, 'user_a', 'second')`));
  });
  assert.deepEqual(await a.query('delete from public.notes where id in (40, 41) returning id'), [
    { id: 40 },
    { id: 41 },
  ]);
});

test('rejects a handle after its transaction has ended', async () => {
  const expiredHandle = await db.database.asMember({ sub: 'user_a' }).transaction(async (sql) => sql);
  await assert.rejects(expiredHandle.query('select 1'), /has ended/);
});

test('fails only one statement when the server closes the connection', async (t) => {
  const brokenConnections: Error[] = [];
  const single = connectDatabase(db.urls, {
    memberConnections: 1,
    serviceConnections: 1,
    onError: (error) => brokenConnections.push(error),
  });
  t.onTestFinished(() => single.close());
  const sleeping = single.asMember({ sub: 'user_a' }).query('select pg_sleep(30)');
  const failed = assert.rejects(sleeping);
  while (
    (
      await db.owner(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where query like 'select pg_sleep%' and datname = current_database()`,
      )
    ).length === 0
  );
  await failed;
  assert.deepEqual(await single.asMember({ sub: 'user_a' }).query('select id from public.notes'), [{ id: 1 }]);
  assert.ok(brokenConnections.length > 0);
});

test('leaves connections to others when a member waits for their own lock', async (t) => {
  const smallPool = connectDatabase(db.urls, { memberConnections: 5, serviceConnections: 5 });
  const { default: pg } = await import('pg');
  const lockHolder = new pg.Client({ connectionString: db.ownerUrl });
  await lockHolder.connect();
  t.onTestFinished(async () => {
    await Promise.all([smallPool.close(), lockHolder.end()]);
  });
  await lockHolder.query('select pg_advisory_lock(4711)');
  const lock = 'select pg_advisory_xact_lock(4711)';
  const waiting = Array.from({ length: 20 }, () => [
    smallPool.asMember({ sub: 'user_a' }).query(lock),
    smallPool.transactionAs({ sub: 'user_a' }, ({ service }) => service.query(lock)),
  ]).flat();
  const all = Promise.all(waiting);
  const countWaiting = async () =>
    (
      await db.owner(
        `select from pg_locks l join pg_database d on d.oid = l.database
         where d.datname = current_database() and l.locktype = 'advisory' and not l.granted`,
      )
    ).length;
  while ((await countWaiting()) < 8);
  assert.deepEqual(await smallPool.asMember({ sub: 'user_b' }).query('select id from public.notes'), [{ id: 2 }]);
  assert.deepEqual(
    await smallPool.transactionAs({ sub: 'user_b' }, ({ service }) => service.query('select 1 as one')),
    [{ one: 1 }],
  );
  assert.deepEqual(await smallPool.service.query('select 1 as one'), [{ one: 1 }]);
  assert.equal(await countWaiting(), 8, 'one share of each pool, and no more');
  await lockHolder.query('select pg_advisory_unlock(4711)');
  assert.equal((await all).length, 40, 'no statement is lost');
});

test('throws UNAVAILABLE with a cause when no connection is free', { tags: ['slow'] }, async (t) => {
  const single = connectDatabase(db.urls, { memberConnections: 1, connectTimeoutMs: 3_000 });
  const unreachable = connectDatabase({
    authenticator: 'postgres://a:b@127.0.0.1:1/x',
    service: 'postgres://a:b@127.0.0.1:1/x',
  });
  t.onTestFinished(async () => {
    await Promise.all([single.close(), unreachable.close()]);
  });
  await single.asMember({ sub: 'user_a' }).transaction(async () => {
    await assert.rejects(
      single.asMember({ sub: 'user_b' }).query('select 1'),
      (error: AppError) =>
        error.code === 'UNAVAILABLE' && error.details.retryAfter === 2 && /timeout/.test(String(error.cause)),
    );
  });
  await assert.rejects(
    unreachable.service.query('select 1'),
    (error: AppError) => error.code === 'UNAVAILABLE' && /ECONNREFUSED/.test(String(error.cause)),
  );
});

test('pings true only when both logins work', async (t) => {
  assert.equal(await db.database.ping(), true);
  const reasons: (string | undefined)[] = [];
  const wrong = connectDatabase(
    { ...db.urls, service: db.urls.service.replace('service-test', 'wrong') },
    { onAvailabilityChange: (isAvailable, reason) => reasons.push(isAvailable ? 'available' : reason) },
  );
  t.onTestFinished(() => wrong.close());
  assert.equal(await wrong.ping(), false);
  assert.match(reasons.join(), /^password authentication failed/);
  const unreachable = connectDatabase({
    authenticator: 'postgres://a:b@127.0.0.1:1/x',
    service: 'postgres://a:b@127.0.0.1:1/x',
  });
  t.onTestFinished(() => unreachable.close());
  assert.equal(await unreachable.ping(), false);
});

test('prepares a statement once a connection and only when enabled', async (t) => {
  const count = `select count(*)::int as n from pg_prepared_statements
    where statement like 'select id, body from public.notes%'`;
  for (const [prepare, isPrepared] of [
    [true, 1],
    [false, 0],
  ] as const) {
    const single = connectDatabase(db.urls, { memberConnections: 1, prepare });
    t.onTestFinished(() => single.close());
    for (let round = 0; round < 8; round += 1) {
      for (const [sub, id, body] of [
        ['user_a', 1, 'a1'],
        ['user_b', 2, 'b1'],
      ] as const) {
        assert.deepEqual(
          await single.asMember({ sub }).query('select id, body from public.notes where id < $1', [100]),
          [{ id, body }],
        );
      }
    }
    assert.deepEqual(await single.asMember({ sub: 'user_a' }).query(count), [{ n: isPrepared }]);
  }
});

test('prepares a statement again after it failed or its transaction failed', async (t) => {
  const single = connectDatabase(db.urls, { memberConnections: 1, serviceConnections: 1 });
  t.onTestFinished(() => single.close());
  const a = single.asMember({ sub: 'user_a' });
  const text = 'select 10 / $1::int as tenth';
  await assert.rejects(a.query(text, ['no number']), { code: '22P02' });
  await assert.rejects(
    a.transaction(async (sql) => {
      await sql.query('select 1 / 0').catch(() => {});
      await sql.query(text, [5]);
    }),
    { code: '25P02' },
  );
  assert.deepEqual(await a.query(text, [5]), [{ tenth: 2 }]);
  const answers = await Promise.allSettled([1, 0, 2].map((by) => single.service.query(text, [by])));
  assert.deepEqual(
    answers.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  await assert.rejects(a.query('select $1::jsonb as value', [cycle]), TypeError);
  assert.deepEqual(await a.query('select $1::jsonb as value', ['{"a":1}']), [{ value: { a: 1 } }]);
});

/** PgBouncer's message to a client whose server has crashed. */
const CRASHED = Buffer.from('SFATAL\0VFATAL\0C08P01\0Mserver conn crashed?\0\0', 'latin1');

for (const [how, end] of [
  ['is cut', (socket: Socket) => socket.destroy()],
  [
    'is closed by a pooler with an error',
    (socket: Socket) => socket.end(Buffer.concat([Buffer.from('E'), encodeLength(CRASHED), CRASHED])),
  ],
] as const)
  test(`throws a retryable error when the connection of a statement ${how}`, async (t) => {
    const sockets = new Set<Socket>();
    const socketDir = decodeURIComponent(/[?&]host=([^&]+)/.exec(db.urls.authenticator)![1]!);
    const proxy = createServer((clientSocket) => {
      sockets.add(clientSocket);
      const serverSocket = connect(join(socketDir, '.s.PGSQL.5432'));
      clientSocket.pipe(serverSocket).pipe(clientSocket);
      for (const eachSocket of [clientSocket, serverSocket]) eachSocket.on('error', () => {});
      clientSocket.on('close', () => serverSocket.destroy());
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const viaProxy = (url: string): string => url.replace(/@\/(\w+)\?.*/, `@127.0.0.1:${port}/$1`);
    const proxied = connectDatabase({
      authenticator: viaProxy(db.urls.authenticator),
      service: viaProxy(db.urls.service),
    });
    t.onTestFinished(async () => {
      await proxied.close();
      proxy.close();
    });
    const pendingQuery = proxied.asMember({ sub: 'user_a' }).query(`select pg_sleep(30), '${how}'`);
    const rejection = assert.rejects(
      pendingQuery,
      (error) => error instanceof AppError && error.code === 'UNAVAILABLE',
    );
    await eventually(async () => {
      const [row] = await db.owner<{ n: number }>(
        // The query text is unique, because the server continues the statement of a closed connection.
        `select count(*)::int as n from pg_stat_activity where wait_event = 'PgSleep' and strpos(query, $1) > 0`,
        [how],
      );
      return row!.n > 0;
    });
    for (const socket of sockets) end(socket);
    await rejection;
    assert.deepEqual(await proxied.service.query('select 1 as one'), [{ one: 1 }]);
  });

function encodeLength(message: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(message.length + 4);
  return length;
}
