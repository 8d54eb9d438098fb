import { setImmediate as turn } from 'node:timers/promises';
import { ticketOf } from '../demo-links.ts';
import { checkAfterRecovery, checkRound } from './oracle.ts';
import { type Deployment, invite, type Process } from './deployment.ts';
import type { Action, Plan } from './plan.ts';
import type { Completed, Round } from './round.ts';
import { Stopped } from './fault-injector.ts';

interface RoundFigures {
  stopped: number;
  bound: number;
  refused: number;
  revoked: number;
}

/** Runs a round, restarts what stopped, has it converge, and says what rule was broken, as sentences. */
export async function runRound(
  deployment: Deployment,
  plan: Plan,
): Promise<{ wrong: string[]; figures: RoundFigures }> {
  const steady = deployment.start();
  const invitations = [await invite(steady), await invite(steady)];
  const tickets = [...invitations.map(({ ticket }) => ticket), await deployment.looseTicket()];
  const sessions: string[] = [];
  for (const ticket of tickets) sessions.push(await deployment.signIn(ticket));
  const processes = plan.stops.map((stopAt) => deployment.start(stopAt, plan.loses)) as Round['processes'];
  const round: Round = { deployment, processes, invitations, sessions, completed: [], revoked: [] };

  await Promise.all(plan.actions.map((action) => act(round, action)));
  for (const { injector } of processes) injector.disable();
  const wrong = await checkRound(round);
  const figures = {
    stopped: processes.filter(({ injector }) => injector.isStopped).length,
    bound: round.completed.filter(({ result }) => result === 'ok').length,
    refused: round.completed.filter(({ result }) => result === 'refused').length,
    revoked: round.revoked.filter(({ isConfirmed }) => isConfirmed).length,
  };

  round.processes = processes.map((process) => (process.injector.isStopped ? deployment.start() : process)) as never;
  // Nothing is lost any more, and all that is due is done.
  const healed = deployment.start();
  await reconcile(round, healed);
  await endSessions(round, healed);
  wrong.push(...(await checkAfterRecovery(round, healed)));
  return { wrong, figures };
}

async function act(round: Round, action: Action): Promise<void> {
  const { deployment, processes, invitations, sessions } = round;
  const process = processes[action.process];
  for (let i = 0; i < action.turns; i += 1) await turn();
  const unlessStopped = <T>(work: Promise<T>): Promise<T | 'no answer'> =>
    work.catch((error: unknown) => {
      if (process.injector.isStopped) return 'no answer';
      throw error;
    });
  switch (action.does) {
    case 'complete': {
      const { id, ticket } = invitations[action.invitation]!;
      const shown = action.ticket === 'right' ? ticket : `${ticket}x`;
      const asked = { invitationId: id, sessionId: sessions[action.session]!, ticket: shown };
      const completed = await unlessStopped(process.complete(asked.sessionId, asked));
      round.completed.push({ ...asked, result: toResult(process, completed) });
      return;
    }
    case 'revoke': {
      const { id } = invitations[action.invitation]!;
      const revoked = await unlessStopped(process.revoke(id));
      if (revoked !== 'no answer' && !process.injector.isStopped)
        round.revoked.push({ id, process, isConfirmed: revoked.ok });
      return;
    }
    case 'expire':
      await deployment.db.owner('update public.demo_access_invitations set expires_at = now() where id = $1', [
        invitations[action.invitation]!.id,
      ]);
      return;
    case 'create': {
      const made = await unlessStopped(process.create());
      if (made !== 'no answer' && made.ok && !process.injector.isStopped)
        invitations.push({ id: made.id, ticket: ticketOf(made.link) });
      return;
    }
    case 'reconcile':
      await unlessStopped(reconcile(round, process));
      return;
    case 'end sessions':
      // A job that fails is tried again later.
      await endSessions(round, process).catch(() => {});
  }
}

function toResult(
  process: Process,
  completed: 'no answer' | Awaited<ReturnType<Process['complete']>>,
): Completed['result'] {
  if (completed === 'no answer' || process.injector.isStopped) return 'no answer';
  if (completed.ok) return 'ok';
  return completed.reason === 'unavailable' ? 'undecided' : 'refused';
}

async function reconcile({ deployment }: Round, process: Process): Promise<void> {
  await deployment.db.owner(
    'update public.demo_access_invitations set next_attempt_at = now() where revoke_requested_at is not null ' +
      'and revoked_at is null',
  );
  await process.runJob('demo-access-reconcile', {});
}

async function endSessions({ deployment }: Round, process: Process): Promise<void> {
  const name = 'demo-access-end-session';
  const jobs = await deployment.db.owner<{ id: string; payload: object }>(
    `select j.id::text as id, j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1 order by j.id`,
    [name],
  );
  for (const { id, payload } of jobs) {
    await process.runJob(name, payload);
    if (process.injector.isStopped) throw new Stopped();
    await deployment.db.owner('delete from graphile_worker._private_jobs where id = $1::bigint', [id]);
  }
}
