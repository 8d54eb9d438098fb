import { setImmediate as turn } from 'node:timers/promises';
import { getTicket } from '../demo-links.ts';
import { checkAfterRecovery, checkRound } from './oracle.ts';
import { type Deployment, invite, type Process } from './deployment.ts';
import type { Action, Plan } from './plan.ts';
import type { Completed, Round } from './round.ts';
import { SimulatedCrash } from './fault-injector.ts';

/** Runs a round, restarts crashed processes, waits for convergence and returns the violated rules as sentences. */
export async function runRound(deployment: Deployment, plan: Plan): Promise<string[]> {
  const setupProcess = deployment.start();
  const invitations = [await invite(setupProcess), await invite(setupProcess)];
  const tickets = [...invitations.map(({ ticket }) => ticket), await deployment.createUnboundTicket()];
  const sessions: string[] = [];
  for (const ticket of tickets) sessions.push(await deployment.signIn(ticket));
  const processes = plan.stops.map((stopAt) => deployment.start(stopAt, plan.chooseLoss)) as Round['processes'];
  const round: Round = { deployment, processes, invitations, sessions, completed: [], revoked: [] };

  await Promise.all(plan.actions.map((action) => runAction(round, action)));
  for (const { injector } of processes) injector.disable();
  const violations = await checkRound(round);
  round.processes = processes.map((process) => (process.injector.isCrashed ? deployment.start() : process)) as never;
  // From here on nothing is lost, and all due work is done.
  const recoveredProcess = deployment.start();
  await reconcile(round, recoveredProcess);
  await endSessions(round, recoveredProcess);
  violations.push(...(await checkAfterRecovery(round, recoveredProcess)));
  return violations;
}

async function runAction(round: Round, action: Action): Promise<void> {
  const { deployment, processes, invitations, sessions } = round;
  const process = processes[action.process];
  for (let i = 0; i < action.turns; i += 1) await turn();
  const orNoAnswer = <T>(work: Promise<T>): Promise<T | 'no-answer'> =>
    work.catch((error: unknown) => {
      if (process.injector.isCrashed) return 'no-answer';
      throw error;
    });
  switch (action.kind) {
    case 'complete': {
      const { id, ticket } = invitations[action.invitation]!;
      const presentedTicket = action.ticket === 'right' ? ticket : `${ticket}x`;
      const request = { invitationId: id, sessionId: sessions[action.session]!, ticket: presentedTicket };
      const completed = await orNoAnswer(process.complete(request.sessionId, request));
      round.completed.push({ ...request, result: toResult(process, completed) });
      return;
    }
    case 'revoke': {
      const { id } = invitations[action.invitation]!;
      const revoked = await orNoAnswer(process.revoke(id));
      if (revoked !== 'no-answer' && !process.injector.isCrashed)
        round.revoked.push({ id, process, isConfirmed: revoked.ok });
      return;
    }
    case 'expire':
      await deployment.db.owner('update public.demo_access_invitations set expires_at = now() where id = $1', [
        invitations[action.invitation]!.id,
      ]);
      return;
    case 'create': {
      const invitation = await orNoAnswer(process.create());
      if (invitation !== 'no-answer' && invitation.ok && !process.injector.isCrashed)
        invitations.push({ id: invitation.id, ticket: getTicket(invitation.link) });
      return;
    }
    case 'reconcile':
      await orNoAnswer(reconcile(round, process));
      return;
    case 'end-sessions':
      // The queue retries a failed job later.
      await endSessions(round, process).catch(() => {});
  }
}

function toResult(
  process: Process,
  completed: 'no-answer' | Awaited<ReturnType<Process['complete']>>,
): Completed['result'] {
  if (completed === 'no-answer' || process.injector.isCrashed) return 'no-answer';
  if (completed.ok) return 'ok';
  return completed.reason === 'unavailable' ? 'undecided' : 'rejected';
}

async function reconcile({ deployment }: Round, process: Process): Promise<void> {
  await deployment.db.owner(
    'update public.demo_access_invitations set next_attempt_at = now() where revoke_requested_at is not null ' +
      'and revoked_at is null',
  );
  await process.runJob('demo-access-reconcile', {});
}

async function endSessions({ deployment }: Round, process: Process): Promise<void> {
  const name = 'demo-access-revoke-session';
  const jobs = await deployment.db.owner<{ id: string; payload: object }>(
    `select j.id::text as id, j.payload from graphile_worker._private_jobs j
       join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = $1 order by j.id`,
    [name],
  );
  for (const { id, payload } of jobs) {
    await process.runJob(name, payload);
    if (process.injector.isCrashed) throw new SimulatedCrash();
    await deployment.db.owner('delete from graphile_worker._private_jobs where id = $1::bigint', [id]);
  }
}
