// @module-tag slow
import assert from 'node:assert/strict';
import { afterAll, beforeAll, test } from 'vitest';
import { createLogger } from '../src/platform/http/logger.ts';
import { trackUserCreated } from '../src/features/referrals/track-signup.ts';
import {
  type ConnectionsApp,
  finish,
  startAttempt,
  startConnectionsApp,
  completeBankPage,
} from './support/connections-app.ts';
import { completeReferrals, startSecondProcess } from './support/connections-process.ts';
import { eventuallyEquals } from './support/eventually.ts';
import { sendRequest } from './support/identity.ts';

const LINK = 'abcdefghjkmn';
let app: ConnectionsApp;
let second: Awaited<ReturnType<typeof startSecondProcess>>;
beforeAll(async () => {
  app = await startConnectionsApp({ onConnected: completeReferrals });
  await app.owner(`create table public.reported_connections (idp_id text, first boolean)`);
  await app.owner(`grant insert on public.reported_connections to service_role`);
  await app.owner(`insert into public.all_users (idp_id) values ('user_inviter')`);
  await app.owner(`update public.all_users set referral_link = $1 where idp_id = 'user_inviter'`, [LINK]);
  await app.startWork();
  second = await startSecondProcess(app.name);
});
afterAll(async () => {
  await second.stop();
  await app.close();
});

const createMember = async (idpId: string): Promise<string> => {
  await app.owner(`insert into public.all_users (idp_id) values ($1)`, [idpId]);
  return idpId;
};

/** Handles the identity provider's event of a new person who used the link. */
const signUp = (idpId: string): Promise<void> => {
  const accounts = { demoAccountId: 'user_demo', sampleUserId: 'user_sample' };
  const metrics = { countReport: () => {}, countRateLimited: () => {}, countCycle: () => {} };
  const lookUp = () => Promise.resolve({ found: 'no' } as const);
  const createdAt = new Date();
  const event = { idpId, email: null, createdAt, unsafeMetadata: { ref: LINK }, clientIp: null, userAgent: null };
  return app.database.service.transaction((sql) =>
    trackUserCreated({ sql, accounts, metrics, lookUp, logger: createLogger('silent') }, sql, event),
  );
};

const findReferrals = (idpId: string) =>
  app.owner(`select status from public.referrals where referred_idp_id = $1`, [idpId]);
const findReports = (idpId: string) =>
  app.owner(`select first from public.reported_connections where idp_id = $1`, [idpId]);

const countBankItems = async () => (await app.owner(`select from bank_sandbox.items`)).length;

/** Starts an attempt of a member. It is old enough that a poll finishes it too. */
async function startOldAttempt(member: string) {
  const { attempt_id, url } = await startAttempt(app, member);
  await app.owner(`update public.connection_attempts set created_at = now() - interval '5 minutes'`);
  const finishInThisProcess = () => finish(app, member, attempt_id);
  const finishInOtherProcess = () =>
    sendRequest(`${second.url}/api/connections/finish`, 'POST', { attempt_id }, { 'x-member': member }) as Promise<{
      status: number;
      body: { status: string };
    }>;
  /** Finishes the attempt three times in each process, and polls in both. */
  const race = async () => {
    const poll = () => app.connections.tasks!['poll-connection-attempts']!({} as never, {} as never);
    const calls = [1, 2, 3].flatMap(() => [finishInThisProcess(), finishInOtherProcess()]);
    const [responses] = await Promise.all([Promise.all(calls), poll(), second.run('poll-connection-attempts')]);
    return responses;
  };
  return { url, race, finishInThisProcess, finishInOtherProcess };
}

test.each([1, 2, 3, 4, 5])('makes one connection from webhook, return, poll and retries: round %i', async (round) => {
  const member = await createMember(`user_race${round}`);
  await signUp(member);
  const { url, race, finishInThisProcess, finishInOtherProcess } = await startOldAttempt(member);
  const before = await countBankItems();

  // The page's webhook is delivered twice, once by each process.
  await completeBankPage(app, url, { user: 'user_twice' });
  for (const { status, body } of await race()) {
    assert.equal(status, 200);
    assert.ok(['connected', 'pending'].includes(body.status), body.status);
  }

  await eventuallyEquals(async () => (await finishInOtherProcess()).body.status, 'connected');
  assert.equal((await finishInThisProcess()).body.status, 'connected');
  assert.equal((await app.call('GET', '/api/connections', member)).body.connections.length, 1);
  assert.equal(await countBankItems(), before + 1, 'one exchange');
  assert.deepEqual(await findReports(member), [{ first: true }]);
  assert.deepEqual(await findReferrals(member), [{ status: 'completed' }]);
  assert.deepEqual(await app.owner(`select from public.connection_revocations`), [], 'no superfluous access');
});
