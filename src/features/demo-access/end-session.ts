import type { ServiceSql } from '../../platform/database/roles.ts';
import { addJobInTransaction } from '../../platform/jobs/add-job.ts';
import type { TaskName } from '../../platform/jobs/task.ts';
import { type AuditActor, describeResult, createAuditRecorder, createBestEffortAuditRecorder } from './audit.ts';
import { lockSession } from './bind-queries.ts';
import type { DemoAccessContext } from './context.ts';
import { findBoundSessions } from './queries.ts';
import { hasEnded } from './session-snapshot.ts';

export const END_SESSION = 'demo-access-revoke-session' as TaskName<{
  session_id: string;
  invitation_id: string | null;
}>;

interface EndedSession {
  sessionId: string;
  /** The invitation that the session requested, for the audit. */
  invitationId: string | null;
}

/** Delay in ms before a job checks whether the session has ended. The call below takes at most ten seconds. */
const RETRY_DELAY_MS = 30_000;

/**
 * Ends a session of the demo account that could not be bound, unless an invitation names it. It adds a job first, which
 * repeats the call if the provider does not confirm it or this process exits. Never throws.
 */
export async function revokeUnboundSession(
  context: DemoAccessContext,
  endedSession: EndedSession,
  auditActor: AuditActor,
): Promise<void> {
  const { sessionId: session_id, invitationId: invitation_id } = endedSession;
  const options = { key: `demo-access-revoke-session:${session_id}`, runAt: new Date(Date.now() + RETRY_DELAY_MS) };
  const addJob = (tx: ServiceSql) => addJobInTransaction(tx, END_SESSION, { session_id, invitation_id }, options);
  try {
    if (!(await requestTermination(context, endedSession, auditActor, addJob))) return;
  } catch (err) {
    context.logger.error({ err, session: session_id }, 'failed to record session termination');
    // If the database cannot be written, the session cannot be bound either. If it cannot be read, the gate decides.
    if (await isBound(context.sql, session_id).catch(() => true)) return;
  }
  await revokeAtProvider(context, endedSession, auditActor);
}

/** Ends the session from the job, after a check of its owner. Throws if the provider does not confirm the end. */
export async function retryEndSession(context: DemoAccessContext, endedSession: EndedSession): Promise<void> {
  const found = await context.provider.getSession(endedSession.sessionId);
  if (!found.ok) {
    // A 404 proves the end of a session only if the provider still has the demo account.
    const { demoAccountId } = context.accounts;
    if (
      found.reason === 'not_found' &&
      demoAccountId !== undefined &&
      (await context.provider.getUser(demoAccountId)).ok
    )
      return;
    throw new Error(`Failed to read session ${endedSession.sessionId} from the identity provider.`);
  }
  const auditActor = { actor: 'reconciler', requestId: null } as const;
  if (found.value.user_id !== context.accounts.demoAccountId || hasEnded(found.value)) return;
  if (!(await requestTermination(context, endedSession, auditActor))) return;
  if (!(await revokeAtProvider(context, endedSession, auditActor)))
    throw new Error(`The identity provider did not confirm the end of session ${endedSession.sessionId}.`);
}

const isBound = async (sql: ServiceSql, id: string): Promise<boolean> => (await findBoundSessions(sql, [id])).has(id);

const toAuditSubject = (endedSession: EndedSession, auditActor: AuditActor) => ({
  ...auditActor,
  action: 'session.revoke',
  ...endedSession,
});

/**
 * Records the request, after which the session is never bound. Returns `false` if an invitation already names the
 * session.
 */
async function requestTermination(
  { sql }: DemoAccessContext,
  endedSession: EndedSession,
  auditActor: AuditActor,
  alsoInTransaction?: (tx: ServiceSql) => Promise<unknown>,
): Promise<boolean> {
  return sql.transaction(async (tx) => {
    await lockSession(tx, endedSession.sessionId);
    if (await isBound(tx, endedSession.sessionId)) return false;
    await createAuditRecorder(tx)(toAuditSubject(endedSession, auditActor), 'intent');
    await alsoInTransaction?.(tx);
    return true;
  });
}

async function revokeAtProvider(
  context: DemoAccessContext,
  endedSession: EndedSession,
  auditActor: AuditActor,
): Promise<boolean> {
  const outcome = await context.provider.revokeSession(endedSession.sessionId);
  await createBestEffortAuditRecorder(context)(
    toAuditSubject(endedSession, auditActor),
    describeResult(outcome),
    outcome.traceId,
  );
  return outcome.ok ? outcome.value.user_id === context.accounts.demoAccountId : outcome.reason === 'not_found';
}
