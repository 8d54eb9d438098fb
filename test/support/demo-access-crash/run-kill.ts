import { setTimeout as sleep } from 'node:timers/promises';
import { addJobInTransaction } from '../../../src/platform/jobs/add-job.ts';
import type { TaskName } from '../../../src/platform/jobs/task.ts';
import { seeded } from '../seeded.ts';
import { getTicket } from '../demo-links.ts';
import { eventually } from '../eventually.ts';
import { type ApiResponse, callBackend, sendRequest } from '../identity.ts';
import type { Replicas } from './replicas.ts';

/**
 * The result of a round. `admittedForMs` is the time in ms for which the other process still admitted a revoked
 * session.
 */
interface KillReport {
  violations: string[];
  /** True if the process ended before all of its requests got a response. */
  isCut: boolean;
  admittedForMs: number;
}

interface Row {
  id: string;
  session_id: string | null;
  session_status: string | null;
  requested_at: Date | null;
  revoked: boolean;
  bindings: number;
}

const SELECT_INVITATIONS = `
  select i.id, i.session_id, s.status as session_status, i.revoke_requested_at as requested_at,
         i.revoked_at is not null as revoked,
         (select count(*)::int from public.demo_access_audit a
           where a.invitation_id = i.id and a.action = 'invitation.bind' and a.outcome = 'ok') as bindings
    from public.demo_access_invitations i left join idp.sessions s on s.id = i.session_id
   where i.token_id is not null`;

/**
 * Sends one process at once a completion by the right viewer, one by another viewer, a revocation and a creation. Kills
 * the process at a provider call or at a random time. Then restarts it, waits for convergence and checks every
 * invitation so far.
 */
export async function runKill(replicas: Replicas, seed: number): Promise<KillReport> {
  const randomBelow = seeded(Math.imul(2 * seed + 1, 0x9e37_79b1));
  for (let i = 0; i < 8; i += 1) randomBelow(2);
  const { idp, db } = replicas;
  const victim = randomBelow(2) as 0 | 1;
  const other = (1 - victim) as 0 | 1;
  const violations: string[] = [];

  const boundInvitation = await createBoundInvitation(replicas, other);
  const freshInvitation = await invite(replicas, other);
  const owner = await replicas.signIn(freshInvitation.ticket);
  const unboundTicket = await callBackend(
    idp.url,
    'POST',
    '/sign_in_tokens',
    { user_id: replicas.demoId },
    idp.secretKey,
  );
  const secondSession = await replicas.signIn(unboundTicket.body.token as string);
  const isAdmitted = async ({ bearer }: typeof owner): Promise<boolean> =>
    (await sendRequest(`${replicas.urls[other]}/api/me`, 'GET', undefined, bearer)).status === 200;
  if (!(await isAdmitted(boundInvitation.viewer))) violations.push('a bound session is rejected');

  // The process is killed at its n-th provider call, before or after the work, or after some milliseconds.
  const atCall = 1 + randomBelow(5);
  const atDone = randomBelow(2) === 0;
  const after = randomBelow(40);
  const byCall = randomBelow(3) > 0;
  let calls = 0;
  let exited: Promise<void> | undefined;
  const kill = () => {
    exited ??= replicas.kill(victim);
    return exited;
  };
  idp.watch(async (_called, isWorkDone) => {
    if (isWorkDone === atDone && byCall && ++calls === atCall) await kill();
  });

  const url = replicas.urls[victim];
  const complete = ({ bearer }: typeof owner, invitation: { id: string; ticket: string }) =>
    sendRequest(
      `${url}/api/demo-access/complete`,
      'POST',
      { invitation_id: invitation.id, ticket: invitation.ticket },
      bearer,
    );
  const requests: [string, () => Promise<ApiResponse>][] = [
    ['complete', () => complete(owner, freshInvitation)],
    ['complete by another', () => complete(secondSession, freshInvitation)],
    [
      'revoke',
      () => replicas.operate(victim, 'DELETE', `/${randomBelow(3) === 0 ? freshInvitation.id : boundInvitation.id}`),
    ],
    ['create', () => replicas.operate(victim, 'POST', '', { label: 'Killed' })],
  ];
  const chosen = requests.filter(() => randomBelow(4) > 0);
  const responses = Promise.all(
    chosen.map(async ([name, request]) => [name, await request().catch(() => undefined)] as const),
  );
  if (!byCall) await sleep(after);
  else await Promise.race([responses, waitUntilKilled(() => exited)]);
  await kill();
  await exited;
  idp.watch(() => {});
  const results = await responses;
  const isCut = results.some(([, answer]) => answer === undefined);

  const readRows = () => db.owner<Row>(SELECT_INVITATIONS);
  const findRow = async (id: string) => (await readRows()).find((row) => row.id === id)!;
  const completed = results.find(([name]) => name === 'complete')?.[1];
  if (completed?.status === 200 && (await findRow(freshInvitation.id)).session_id !== owner.sessionId)
    violations.push('a viewer got a success for a session that is not bound');

  // The other process must reject one second after the revocation request. It may have admitted the session just
  // before.
  let admittedForMs = 0;
  const { requested_at } = await findRow(boundInvitation.id);
  if (requested_at) {
    await eventually(async () => {
      const requestedAt = Date.now();
      if (!(await isAdmitted(boundInvitation.viewer))) return true;
      admittedForMs = requestedAt - requested_at.getTime();
      return false;
    });
    if (admittedForMs > 1_000 + COMMIT_MS) violations.push(`a revoked session was admitted for ${admittedForMs} ms`);
  } else if (!(await isAdmitted(boundInvitation.viewer))) violations.push('a session is rejected that was not revoked');

  await replicas.restart(victim);
  await waitUntilConverged(replicas);
  for (const row of await readRows()) {
    if (row.bindings > 1) violations.push(`sessions were bound to ${row.id} ${row.bindings} times`);
    if (row.requested_at && !row.revoked) violations.push(`the revocation of ${row.id} is pending`);
    if (row.requested_at && row.session_status === 'active')
      violations.push(`the session of the revoked ${row.id} lives`);
    if (!row.requested_at && row.session_id !== null && row.session_status !== 'active')
      violations.push(`the session of ${row.id} was ended without a revocation`);
  }
  const boundSessions = (await readRows()).flatMap(({ session_id }) => session_id ?? []);
  if (new Set(boundSessions).size < boundSessions.length) violations.push('a session is bound to two invitations');
  const rejected = results.find(([name]) => name === 'complete by another')?.[1];
  if (
    rejected &&
    rejected.status !== 503 &&
    rejected.status !== 200 &&
    !boundSessions.includes(secondSession.sessionId)
  ) {
    const [session] = await db.owner<{ status: string }>('select status from idp.sessions where id = $1', [
      secondSession.sessionId,
    ]);
    if (session!.status === 'active') violations.push('the session of a rejected completion is active');
  }
  return { violations, isCut, admittedForMs };
}

/** Maximum time in ms between the start of the revocation's first statement and its commit. */
const COMMIT_MS = 100;

async function waitUntilKilled(exited: () => Promise<void> | undefined): Promise<void> {
  while (exited() === undefined) await sleep(1);
}

/** Retries a 503, which the service returns when a busy machine delays the provider call. */
async function retryUntilReached(request: () => Promise<ApiResponse>, attempts = 4): Promise<ApiResponse> {
  const response = await request();
  return response.status === 503 && attempts > 1 ? retryUntilReached(request, attempts - 1) : response;
}

async function invite(replicas: Replicas, replica: 0 | 1): Promise<{ id: string; ticket: string }> {
  const { status, body } = await retryUntilReached(() => replicas.operate(replica, 'POST', '', { label: 'Ada' }));
  if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
  return { id: body.id as string, ticket: getTicket(body.link as string) };
}

async function createBoundInvitation(replicas: Replicas, replica: 0 | 1) {
  const invitation = await invite(replicas, replica);
  const viewer = await replicas.signIn(invitation.ticket);
  const url = `${replicas.urls[replica]}/api/demo-access/complete`;
  const bound = await retryUntilReached(() =>
    sendRequest(url, 'POST', { invitation_id: invitation.id, ticket: invitation.ticket }, viewer.bearer),
  );
  if (bound.status !== 200) throw new Error(`complete answered ${bound.status}: ${JSON.stringify(bound.body)}`);
  return { ...invitation, viewer };
}

/** Makes the workers run pending jobs immediately and waits for them. */
async function waitUntilConverged({ db }: Replicas): Promise<void> {
  const pending = 'revoke_requested_at is not null and revoked_at is null and token_id is not null';
  const ownJobs = `from graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier in ('demo-access-reconcile', 'demo-access-revoke-session')`;
  const reconcile = 'demo-access-reconcile' as TaskName<object>;
  await eventually(async () => {
    await db.owner(`update public.demo_access_invitations set next_attempt_at = now() where ${pending}`);
    await db.owner(`update graphile_worker._private_jobs j set run_at = now() ${ownJobs}`);
    await addJobInTransaction(db.database.service, reconcile, {}, { key: 'converge', queue: 'demo-access-reconcile' });
    // Another worker takes over the jobs of a killed worker once it detects the end.
    await eventually(
      async () =>
        (await db.owner(`select from graphile_worker._private_jobs j where exists (select ${ownJobs})`)).length === 0,
    );
    return (await db.owner(`select from public.demo_access_invitations where ${pending}`)).length === 0;
  });
}
