import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { test } from 'vitest';
import { createTestDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  type IdentityApp,
  sendRequest,
  startIdentityApp,
  TestBrowser,
  WEBHOOK_SECRET,
} from '../../../test/support/identity.ts';
import type { ServiceSql } from '../database/roles.ts';
import { signDelivery } from '../http/webhook-schemes/standard-webhooks.ts';
import { insertJob } from '../jobs/queries.ts';
import { deleteMember } from './delete-member.ts';
import { ensureMember, upsertMember } from './queries.ts';

const AT = 1_760_000_000_000;
const person = (type: string, id: string): object => ({
  object: 'event',
  type,
  data: { id, email_addresses: [{ email_address: 'a@example.com' }], created_at: AT, updated_at: AT },
});
const deletion = (id: string): object => ({ object: 'event', type: 'user.deleted', data: { id, deleted: true } });

async function deliver({ url }: IdentityApp, event: object, id = `msg_${randomUUID()}`): Promise<number> {
  const body = JSON.stringify(event);
  const headers = signDelivery(WEBHOOK_SECRET, id, body, Date.now() / 1000);
  return (
    await sendRequest(`${url}/api/webhooks/identity`, 'POST', body, { 'content-type': 'application/json', ...headers })
  ).status;
}

const members = async ({ owner }: Pick<IdentityApp, 'owner'>): Promise<string[]> =>
  (await owner<{ idp_id: string }>('select idp_id from public.all_users order by 1')).map((row) => row.idp_id);

const tombstones = async ({ owner }: Pick<IdentityApp, 'owner'>): Promise<string[]> =>
  (await owner<{ hash: string }>(`select encode(idp_id_hash, 'hex') as hash from public.deleted_members`)).map(
    (row) => row.hash,
  );

const hashId = (id: string): string => createHash('sha256').update(id).digest('hex');

test('keeps only a hash and a time of a deleted member', async (t) => {
  const calls: string[] = [];
  const app = await startIdentityApp(t, {
    owners: [
      {
        onUserDeleted: async (sql, idpId) => {
          const rows = await sql.query('select 1 from public.all_users where idp_id = $1', [idpId]);
          calls.push(`${idpId} ${rows.length}`);
        },
      },
    ],
  });
  for (const id of ['user_1', 'user_2']) assert.equal(await deliver(app, person('user.created', id)), 200);
  assert.equal(await deliver(app, deletion('user_1')), 200);
  assert.deepEqual(calls, ['user_1 1'], 'while the member’s row is still there');
  assert.deepEqual(await members(app), ['user_2']);
  assert.deepEqual(await tombstones(app), [hashId('user_1')]);
});

test('does not recreate a deleted member when events or tokens arrive late', async (t) => {
  const created: string[] = [];
  const app = await startIdentityApp(t, {
    hooks: {
      async onUserCreated(_sql, { idpId }) {
        created.push(idpId);
      },
    },
  });
  assert.equal(await deliver(app, deletion('user_1')), 200);
  for (const type of ['user.created', 'user.updated']) assert.equal(await deliver(app, person(type, 'user_1')), 200);
  assert.equal(await ensureMember(app.database.service, 'user_1'), false);
  assert.deepEqual([await members(app), created], [[], []]);

  const browser = new TestBrowser(app.url);
  const { userId, sessionId } = await browser.signUp();
  const authorization = `Bearer ${await browser.token(sessionId)}`;
  assert.equal(await deliver(app, deletion(userId)), 200);
  assert.equal((await sendRequest(`${app.url}/api/me`, 'GET', undefined, { authorization })).status, 401);
  assert.deepEqual(await members(app), []);
});

test('deletes a member once when the event arrives twice or concurrently', async (t) => {
  let hooks = 0;
  const app = await startIdentityApp(t, {
    owners: [
      {
        async onUserDeleted() {
          hooks += 1;
        },
      },
    ],
  });
  await deliver(app, person('user.created', 'user_1'));
  assert.deepEqual(await Promise.all([1, 2].map(() => deliver(app, deletion('user_1'), 'msg_same'))), [200, 200]);
  assert.equal(hooks, 1, 'one delivery takes effect once');
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => deliver(app, deletion('user_1')))), [200, 200, 200]);
  assert.deepEqual([await members(app), (await tombstones(app)).length], [[], 1]);
});

test('completes a failed deletion at the next delivery', async (t) => {
  let isBroken = true;
  const app = await startIdentityApp(t, {
    owners: [
      {
        onUserDeleted: async (sql, idpId) => {
          await sql.query('delete from public.subscriptions where idp_id = $1', [idpId]);
          if (isBroken) throw new Error('Another feature cannot delete now.');
        },
      },
    ],
  });
  await deliver(app, person('user.created', 'user_1'));
  await app.owner(`insert into public.subscriptions (idp_id, tier, status) values ('user_1', 'pro', 'active')`);
  assert.equal(await deliver(app, deletion('user_1'), 'msg_1'), 500);
  assert.equal((await app.owner('select 1 from public.subscriptions')).length, 1);
  assert.deepEqual([await members(app), await tombstones(app)], [['user_1'], []]);
  isBroken = false;
  assert.equal(await deliver(app, deletion('user_1'), 'msg_1'), 200);
  assert.equal((await app.owner('select 1 from public.subscriptions')).length, 0);
  assert.deepEqual(await members(app), []);
});

test('deletes a member when creation and deletion arrive in any order', async (t) => {
  const app = await startIdentityApp(t);
  const { service } = app.database;
  const remove = (id: string) => service.transaction((sql) => deleteMember(sql, id));
  const at = new Date(AT);
  for (let round = 0; round < 20; round += 1) {
    const idpId = `user_${round}`;
    if (round % 2 === 0) await ensureMember(service, idpId);
    await Promise.all([
      ensureMember(service, idpId),
      remove(idpId),
      upsertMember(service, { idpId, email: null, createdAt: at, updatedAt: at }),
      ensureMember(service, idpId),
    ]);
  }
  assert.deepEqual(await members(app), []);
});

test('makes a request wait for a deletion that has already started', async (t) => {
  const app = await startIdentityApp(t);
  const { service } = app.database;
  await ensureMember(service, 'user_1');
  let creation: Promise<boolean> | undefined;
  await service.transaction(async (sql: ServiceSql) => {
    await deleteMember(sql, 'user_1');
    // Runs on another connection. The row is deleted, but the deletion is not yet committed.
    creation = upsertMember(service, {
      idpId: 'user_1',
      email: null,
      createdAt: new Date(AT),
      updatedAt: new Date(AT),
    });
    await eventually(async () => {
      const waiting = await app.owner(`select 1 from pg_locks where locktype = 'advisory' and not granted`);
      return waiting.length === 1;
    });
  });
  assert.equal(await creation, false);
  assert.deepEqual(await members(app), []);
});

test('deletes only the jobs that name a deleted member', async (t) => {
  const { owner, database } = await createTestDatabase(t);
  const { service } = database;
  const add = (payload: object) => insertJob(service, { task: 'send-account-mail', payload });
  await add({ kind: 'email_changed', userId: 'user_1', formerEmail: 'ada@example.com' });
  await add({ people: [{ id: 'user_1' }] });
  const running = await add({ userId: 'user_1' });
  await owner(`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker' where id = $1`, [
    running,
  ]);
  await add({ userId: 'user_10' });
  await service.transaction((sql) => deleteMember(sql, 'user_1'));
  assert.deepEqual(await owner('select payload from graphile_worker._private_jobs order by id'), [
    { payload: { userId: 'user_1' } },
    { payload: { userId: 'user_10' } },
  ]);
});

test('rejects rows of a deleted member in tables of a coordinator, also while the deletion runs', async (t) => {
  const { owner, database } = await createTestDatabase(t);
  const { service } = database;
  await ensureMember(service, 'user_1');
  await ensureMember(service, 'user_2');
  const writes = [
    () =>
      database.asMember({ sub: 'user_1' }).query(
        `insert into public.assistant_tokens (idp_id, name, token_hash, hint, scopes, expires_at)
       values ('user_1', 'Mine', sha256('token'), 'oken', '{reports}', now())`,
      ),
    () => service.query(`insert into public.organisations (name, owner_idp_id) values ('Mine', 'user_1')`),
    () =>
      service.query(
        `insert into public.referrals (referred_idp_id, referrer_idp_id, source, signed_up_at)
       values ('user_2', 'user_1', 'public', now())`,
      ),
  ];
  const writeAll = () => Promise.allSettled(writes.map((write) => write()));
  let concurrent: ReturnType<typeof writeAll> | undefined;
  await service.transaction(async (sql) => {
    await deleteMember(sql, 'user_1');
    concurrent = writeAll();
  });
  for (const results of [await concurrent!, await writeAll()])
    for (const result of results) {
      assert.equal(result.status, 'rejected');
      assert.deepEqual([result.reason.code, /"all_users"/.test(result.reason.detail)], ['23503', true]);
    }
  for (const table of ['assistant_tokens', 'organisations', 'referrals'])
    assert.deepEqual(await owner(`select from public.${table}`), []);
});
