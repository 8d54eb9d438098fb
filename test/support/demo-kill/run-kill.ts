import { setTimeout as sleep } from 'node:timers/promises';
import { addJobIn } from '../../../src/platform/jobs/add-job.ts';
import type { TaskName } from '../../../src/platform/jobs/task.ts';
import { seeded } from '../seeded.ts';
import { ticketOf } from '../demo-links.ts';
import { eventually } from '../eventually.ts';
import { type Answer, callBackend, send } from '../identity.ts';
import type { Replicas } from './replicas.ts';

/** What a round found; `admittedFor` is for how long the other process still admitted a revoked session. */
interface Killed {
  wrong: string[];
  /** Whether the process was gone before all of its requests were answered. */
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

const READ = `
  select i.id, i.session_id, s.status as session_status, i.revoke_requested_at as requested_at,
         i.revoked_at is not null as revoked,
         (select count(*)::int from public.demo_access_audit a
           where a.invitation_id = i.id and a.action = 'invitation.bind' and a.outcome = 'ok') as bindings
    from public.demo_access_invitations i left join idp.sessions s on s.id = i.session_id
   where i.token_id is not null`;

/**
 * Sends one process a completion by the right viewer, one by another, a revocation and a creation at once, and kills it
 * at a call of the provider or at a moment of its own; then restarts it, has everything converge and looks at every
 * invitation that was ever made.
 */
export async function runKill(replicas: Replicas, seed: number): Promise<Killed> {
  const below = seeded(Math.imul(2 * seed + 1, 0x9e37_79b1));
  for (let i = 0; i < 8; i += 1) below(2);
  const { idp, db } = replicas;
  const victim = below(2) as 0 | 1;
  const other = (1 - victim) as 0 | 1;
  const wrong: string[] = [];

  const [watched, fresh] = [await inUse(replicas, other), await invite(replicas, other)];
  const owner = await replicas.signIn(fresh.ticket);
  const loose = await callBackend(idp.url, 'POST', '/sign_in_tokens', { user_id: replicas.demoId }, idp.secretKey);
  const second = await replicas.signIn(loose.body.token as string);
  const admits = async ({ bearer }: typeof owner): Promise<boolean> =>
    (await send(`${replicas.urls[other]}/api/me`, 'GET', undefined, bearer)).status === 200;
  if (!(await admits(watched.viewer))) wrong.push('a bound session is refused');

  // The process is killed at its n-th call of the provider, before or after the work, or after some milliseconds.
  const [atCall, atDone, after] = [1 + below(5), below(2) === 0, below(40)];
  const byCall = below(3) > 0;
  let [calls, gone] = [0, undefined as Promise<void> | undefined];
  const kill = () => (gone ??= replicas.kill(victim));
  idp.watch(async (_called, isWorkDone) => {
    if (isWorkDone === atDone && byCall && ++calls === atCall) await kill();
  });

  const url = replicas.urls[victim];
  const complete = ({ bearer }: typeof owner, of: { id: string; ticket: string }) =>
    send(`${url}/api/demo-access/complete`, 'POST', { invitation_id: of.id, ticket: of.ticket }, bearer);
  const requests: [string, () => Promise<Answer>][] = [
    ['complete', () => complete(owner, fresh)],
    ['complete by another', () => complete(second, fresh)],
    ['revoke', () => replicas.operate(victim, 'DELETE', `/${below(3) === 0 ? fresh.id : watched.id}`)],
    ['create', () => replicas.operate(victim, 'POST', '', { label: 'Killed' })],
  ];
  const chosen = requests.filter(() => below(4) > 0);
  const answers = Promise.all(
    chosen.map(async ([name, request]) => [name, await request().catch(() => undefined)] as const),
  );
  if (!byCall) await sleep(after);
  else await Promise.race([answers, untilKilled(() => gone)]);
  await kill();
  await gone;
  idp.watch(() => {});
  const came = await answers;
  const isCut = came.some(([, answer]) => answer === undefined);

  const rows = () => db.owner<Row>(READ);
  const rowOf = async (id: string) => (await rows()).find((row) => row.id === id)!;
  const completed = came.find(([name]) => name === 'complete')?.[1];
  if (completed?.status === 200 && (await rowOf(fresh.id)).session_id !== owner.sessionId)
    wrong.push('a viewer was told that their session is bound, and it is not');

  // A second after its revocation was asked for the other process refuses, which may have admitted it just before.
  let admittedForMs = 0;
  const { requested_at } = await rowOf(watched.id);
  if (requested_at) {
    await eventually(async () => {
      const asked = Date.now();
      if (!(await admits(watched.viewer))) return true;
      admittedForMs = asked - requested_at.getTime();
      return false;
    });
    if (admittedForMs > 1_000 + COMMIT_MS) wrong.push(`a revoked session was admitted for ${admittedForMs} ms`);
  } else if (!(await admits(watched.viewer))) wrong.push('a session is refused that nobody revoked');

  await replicas.restart(victim);
  await converge(replicas);
  for (const row of await rows()) {
    if (row.bindings > 1) wrong.push(`sessions were bound to ${row.id} ${row.bindings} times`);
    if (row.requested_at && !row.revoked) wrong.push(`the revocation of ${row.id} is pending`);
    if (row.requested_at && row.session_status === 'active') wrong.push(`the session of the revoked ${row.id} lives`);
    if (!row.requested_at && row.session_id !== null && row.session_status !== 'active')
      wrong.push(`the session of ${row.id} was ended, which nobody revoked`);
  }
  const taken = (await rows()).flatMap(({ session_id }) => session_id ?? []);
  if (new Set(taken).size < taken.length) wrong.push('a session is bound to two invitations');
  const refused = came.find(([name]) => name === 'complete by another')?.[1];
  if (refused && refused.status !== 503 && refused.status !== 200 && !taken.includes(second.sessionId)) {
    const [session] = await db.owner<{ status: string }>('select status from idp.sessions where id = $1', [
      second.sessionId,
    ]);
    if (session!.status === 'active') wrong.push('the session of a refused completion lives');
  }
  return { wrong, isCut, admittedForMs };
}

/** What may pass between the beginning of the revocation's first statement and its commit. */
const COMMIT_MS = 100;

async function untilKilled(gone: () => Promise<void> | undefined): Promise<void> {
  while (gone() === undefined) await sleep(1);
}

/** Asks again where a busy machine made the call of the provider late, which the service answers with 503. */
async function untilReached(request: () => Promise<Answer>, tries = 4): Promise<Answer> {
  const answer = await request();
  return answer.status === 503 && tries > 1 ? untilReached(request, tries - 1) : answer;
}

async function invite(replicas: Replicas, which: 0 | 1): Promise<{ id: string; ticket: string }> {
  const { status, body } = await untilReached(() => replicas.operate(which, 'POST', '', { label: 'Ada' }));
  if (status !== 201) throw new Error(`create answered ${status}: ${JSON.stringify(body)}`);
  return { id: body.id as string, ticket: ticketOf(body.link as string) };
}

async function inUse(replicas: Replicas, which: 0 | 1) {
  const made = await invite(replicas, which);
  const viewer = await replicas.signIn(made.ticket);
  const url = `${replicas.urls[which]}/api/demo-access/complete`;
  const bound = await untilReached(() =>
    send(url, 'POST', { invitation_id: made.id, ticket: made.ticket }, viewer.bearer),
  );
  if (bound.status !== 200) throw new Error(`complete answered ${bound.status}: ${JSON.stringify(bound.body)}`);
  return { ...made, viewer };
}

/** Has the workers do what is pending now instead of in its own time, and waits for it. */
async function converge({ db }: Replicas): Promise<void> {
  const pending = 'revoke_requested_at is not null and revoked_at is null and token_id is not null';
  const ours = `from graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier in ('demo-access-reconcile', 'demo-access-end-session')`;
  const reconcile = 'demo-access-reconcile' as TaskName<object>;
  await eventually(async () => {
    await db.owner(`update public.demo_access_invitations set next_attempt_at = now() where ${pending}`);
    await db.owner(`update graphile_worker._private_jobs j set run_at = now() ${ours}`);
    await addJobIn(db.database.service, reconcile, {}, { key: 'converge', queue: 'demo-access-reconcile' });
    // What a killed worker was doing, another one takes over once it has noticed.
    await eventually(
      async () =>
        (await db.owner(`select from graphile_worker._private_jobs j where exists (select ${ours})`)).length === 0,
    );
    return (await db.owner(`select from public.demo_access_invitations where ${pending}`)).length === 0;
  });
}
