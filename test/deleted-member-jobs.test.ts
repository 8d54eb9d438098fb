// @module-tag slow
import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createSlices } from '../src/app.ts';
import { settings } from '../src/config/settings.ts';
import { createLogger } from '../src/platform/http/logger.ts';
import { closeSlices } from '../src/run-slices.ts';
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

/** What jobs know of a member: identifiers of the member's rows. */
interface MemberIds {
  member: string;
  session: string;
  connection: string;
  attempt: string;
  customer: string;
}

/** The payload of each task whose jobs name a member or something of a member. Add a new task here. */
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

/** Tasks without a schedule whose jobs name symbols alone. */
const WITHOUT_MEMBER = ['market-backfill', 'market-profiles', 'market-refresh-symbol'];

test('names a payload for every task that no schedule starts', async (t) => {
  const { database } = await createTestDatabase(t);
  const { list } = await createSlices({
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
  t.onTestFinished(() => closeSlices(list));
  const scheduled = new Set(list.flatMap(({ schedules = [] }) => schedules.map(({ task }) => task)));
  const others = list.flatMap(({ tasks = {} }) => Object.keys(tasks)).filter((task) => !scheduled.has(task));
  assert.deepEqual(others.sort(), [...Object.keys(PAYLOADS), ...WITHOUT_MEMBER].sort());
});

/** Adds a member with a row of every kind, and returns the identifiers. */
async function createMember() {
  const { email, password } = service.firstRun.members.find(({ tier }) => tier === 'pro')!;
  const signedIn = await signInMember(service, { identifier: email, password });
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

test('ends every job whose member is gone without an error', async () => {
  const { owner } = service.database;
  const { ids, browser } = await createMember();
  assert.ok(
    Object.values(ids).every((id) => id !== null),
    JSON.stringify(ids),
  );
  assert.equal((await browser.call('DELETE', '/me')).status, 200);
  await eventually(
    async () => (await owner('select from public.all_users where idp_id = $1', [ids.member])).length === 0,
  );

  for (const [task, createPayload] of Object.entries(PAYLOADS))
    await owner(`select graphile_worker.add_job($1::text, payload => $2::json)`, [task, createPayload(ids)]);
  const readJobs = () =>
    owner<{ task: string; error: string | null }>(
      `select task_identifier as task, last_error as error from graphile_worker.jobs where task_identifier = any ($1)`,
      [Object.keys(PAYLOADS)],
    );
  // A failed job keeps its error until its next attempt.
  await eventually(async () => (await readJobs()).every(({ error }) => error !== null));
  assert.deepEqual(await readJobs(), []);
});
