// @module-tag slow
import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createFeatures } from '../src/app.ts';
import { settings } from '../src/config/settings.ts';
import { createLogger } from '../src/platform/http/logger.ts';
import { insertTombstone } from '../src/platform/identity/queries.ts';
import { closeFeatures } from '../src/installation/run-features.ts';
import { startMailServer } from './fakes/mail-server.ts';
import { createTestDatabase } from './support/database.ts';
import { eventually } from './support/eventually.ts';
import { SECRET_KEY, SITE } from './support/identity.ts';
import { insertMemberRows, signInMember } from './support/member-tables.ts';
import { startService, type TestService } from './support/service.ts';
import { createScope } from './support/test-scope.ts';

let service: TestService;
const scope = createScope();
beforeAll(async () => {
  const mails = await startMailServer(scope);
  service = await startService({
    BASE_URL: SITE,
    SANDBOX: 'on',
    IDP_SECRET_KEY: SECRET_KEY,
    API_RATE_LIMIT: '100000',
    SMTP_URL: mails.url,
    MAIL_FROM: 'tally@tally.test',
  });
});
afterAll(async () => {
  await service.stop();
  await scope.end();
});

/** Identifiers of a member and of the member's rows, which jobs name. */
interface MemberIds {
  member: string;
  session: string;
  connection: string;
  attempt: string;
  customer: string;
}

/** Payload of each task whose jobs name a member or a row of a member. Add a new task here. */
const PAYLOADS: Readonly<Record<string, (ids: MemberIds) => object>> = {
  'billing-cancel-customer': ({ customer }) => ({ customer_id: customer }),
  'billing-sync': ({ customer }) => ({ customer_id: customer }),
  'demo-access-revoke-session': ({ session }) => ({ session_id: session, invitation_id: null }),
  'finish-connection-attempt': ({ attempt }) => ({ attempt_id: attempt }),
  'referrals-mark-completed': ({ member }) => ({ referred: member }),
  'referrals-track-signup': ({ member }) => ({ referred: member, referrer: member }),
  'revoke-aggregator-access': ({ connection }) => ({ removal_id: connection }),
  'seed-first-run': ({ member }) => ({ members: [{ idp_user_id: member, tier: 'free' }] }),
  'send-account-mail': ({ member }) => ({ kind: 'password_changed', userId: member }),
  'sync-connection': ({ connection }) => ({ connection_id: connection }),
};

/** Tasks that no schedule starts and whose jobs name no member. */
const WITHOUT_MEMBER = ['market-backfill', 'market-profiles', 'market-refresh-symbol', 'send-alert-mails'];

test('lists a task in this file when no schedule starts it', async (t) => {
  const { database } = await createTestDatabase(t);
  const { list } = await createFeatures({
    config: settings.parse({ WORKER: 'off', SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'tally@tally.test' }),
    secrets: {
      idp_secret_key: 'sk_0123456789abcdef0123456789abcdef',
      idp_webhook_secret: 'whsec_c2VjcmV0',
      idp_publishable_key: 'pk',
      connections_key: 'c0'.repeat(32),
    } as never,
    database,
    logger: createLogger('silent'),
    baseUrl: 'http://127.0.0.1:3000',
  });
  t.onTestFinished(() => closeFeatures(list));
  const scheduled = new Set(list.flatMap(({ schedules = [] }) => schedules.map(({ task }) => task)));
  const others = list.flatMap(({ tasks = {} }) => Object.keys(tasks)).filter((task) => !scheduled.has(task));
  assert.deepEqual(others.sort(), [...Object.keys(PAYLOADS), ...WITHOUT_MEMBER].sort());
});

/** Signs up a member with a row of every kind, and returns the identifiers. */
async function createMember() {
  const signedIn = await signInMember(service);
  await insertMemberRows(service, signedIn);
  const [ids] = await service.database.owner<MemberIds>(
    `select $1 as member,
            (select id from idp.sessions where user_id = $1 order by created_at desc limit 1) as session,
            (select id::text from public.connections where idp_id = $1 limit 1) as connection,
            (select id::text from public.connection_attempts where idp_id = $1 limit 1) as attempt,
            (select customer_id from public.billing_payers join public.billing_customers using (payer)
              where idp_id = $1) as customer`,
    [signedIn.idpId],
  );
  return { ids: ids!, browser: signedIn.browser };
}

/** Adds a job of each task that names the member. */
async function addJobs(ids: MemberIds): Promise<void> {
  for (const [task, createPayload] of Object.entries(PAYLOADS))
    await service.database.owner(`select graphile_worker.add_job($1::text, payload => $2::json)`, [
      task,
      createPayload(ids),
    ]);
}

/** Returns the jobs that have not ended. One that failed is tried again, and has its error until then. */
const readJobs = () =>
  service.database.owner<{ task: string; error: string | null }>(
    `select task_identifier as task, last_error as error from graphile_worker.jobs where task_identifier = any ($1)`,
    [Object.keys(PAYLOADS)],
  );

/** Asserts that all jobs end, and that none fails. */
async function assertJobsEnd(): Promise<void> {
  await eventually(async () => (await readJobs()).every(({ error }) => error !== null));
  assert.deepEqual(await readJobs(), []);
}

const isDeleted = async (idpId: string): Promise<boolean> =>
  (await service.database.owner('select from public.all_users where idp_id = $1', [idpId])).length === 0;

test('ends every job without an error when its member was deleted before', async () => {
  const { ids, browser } = await createMember();
  assert.ok(
    Object.values(ids).every((id) => id !== null),
    JSON.stringify(ids),
  );
  assert.equal((await browser.call('DELETE', '/me')).status, 200);
  await eventually(() => isDeleted(ids.member));
  await addJobs(ids);
  await assertJobsEnd();
});

/** Returns the statements that wait for a lock. */
const listWaiting = () =>
  service.database.owner<{ query: string }>(
    `select query from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
  );

/** Runs `work`, during which the deletion of a member waits before its last statement. */
async function runDuringDeletion(member: string, work: () => Promise<void>): Promise<void> {
  const rollback = new Error('rollback');
  await service.database.database.service
    .transaction(async (sql) => {
      // The deletion waits for a transaction that inserts the same row.
      await insertTombstone(sql, member);
      await work();
      throw rollback;
    })
    .catch((error: unknown) => {
      if (error !== rollback) throw error;
    });
}

// A statement waits five seconds for a lock, and a busy machine may hold it longer.
test('ends every job without an error when its member is deleted while it runs', { retry: 1 }, async () => {
  const { ids, browser } = await createMember();
  await runDuringDeletion(ids.member, async () => {
    assert.equal((await browser.call('DELETE', '/me')).status, 200);
    await eventually(async () => (await listWaiting()).some(({ query }) => query.includes('deleted_members')));
    await addJobs(ids);
    // The worker runs four jobs at once. Each one ends, or waits for the lock of the deletion.
    await eventually(async () => {
      const waitingJobs = (await listWaiting()).length - 1;
      return waitingJobs > 0 && waitingJobs >= Math.min((await readJobs()).length, 4);
    });
  });
  await eventually(() => isDeleted(ids.member));
  await assertJobsEnd();
});
