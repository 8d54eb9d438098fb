import type { ServiceSql } from '../../platform/database/roles.ts';
import { addJobIn } from '../../platform/jobs/add-job.ts';
import type { TaskName } from '../../platform/jobs/task.ts';
import { type By, inWords, noteIn, tryNoteIn } from './audit.ts';
import { lockSession } from './bind-queries.ts';
import type { DemoAccessContext } from './context.ts';
import { selectBound } from './queries.ts';
import { isOver } from './session-facts.ts';

export const END_SESSION = 'demo-access-end-session' as TaskName<{ session_id: string; invitation_id: string | null }>;

interface Ended {
  sessionId: string;
  /** The invitation that it wanted, for the audit. */
  invitationId: string | null;
}

/** Milliseconds after which a job looks whether the session is over; the call below it takes ten seconds at most. */
const LATER_MS = 30_000;

/**
 * Ends a session of the demo account that could not be bound; never one that an invitation names. A job is added first:
 * it goes on where the provider does not confirm the end, or this process is gone. Never throws.
 */
export async function revokeUnboundSession(deps: DemoAccessContext, ended: Ended, by: By): Promise<void> {
  const { sessionId: session_id, invitationId: invitation_id } = ended;
  const options = { key: `demo-access-end-session:${session_id}`, runAt: new Date(Date.now() + LATER_MS) };
  const addJob = (tx: ServiceSql) => addJobIn(tx, END_SESSION, { session_id, invitation_id }, options);
  try {
    if (!(await requestTermination(deps, ended, by, addJob))) return;
  } catch (err) {
    deps.logger.error({ err, session: session_id }, 'the end of a session could not be written down');
    // What cannot be written cannot be bound either; what cannot be read is left to the gate.
    if (await isBound(deps.sql, session_id).catch(() => true)) return;
  }
  await revokeAtProvider(deps, ended, by);
}

/** The job's try: looks first whose the session is. Throws where the provider does not confirm it. */
export async function endSessionLater(deps: DemoAccessContext, ended: Ended): Promise<void> {
  const found = await deps.provider.getSession(ended.sessionId);
  if (!found.ok) {
    // A 404 means that the session is over only where the provider knows the demo account.
    const { demoAccountId } = deps.accounts;
    if (found.reason === 'not_found' && demoAccountId !== undefined && (await deps.provider.getUser(demoAccountId)).ok)
      return;
    throw new Error(`The session ${ended.sessionId} could not be looked up.`);
  }
  const by = { actor: 'reconciler', requestId: null } as const;
  if (found.value.user_id !== deps.accounts.demoAccountId || isOver(found.value)) return;
  if (!(await requestTermination(deps, ended, by))) return;
  if (!(await revokeAtProvider(deps, ended, by)))
    throw new Error(`The end of the session ${ended.sessionId} is not confirmed.`);
}

const isBound = async (sql: ServiceSql, id: string): Promise<boolean> => (await selectBound(sql, [id])).has(id);

const subjectOf = (ended: Ended, by: By) => ({ ...by, action: 'session.revoke', ...ended });

/** Records the intent, after which the session is never bound; `false` where an invitation names it already. */
async function requestTermination(
  { sql }: DemoAccessContext,
  ended: Ended,
  by: By,
  also?: (tx: ServiceSql) => Promise<unknown>,
): Promise<boolean> {
  return sql.transaction(async (tx) => {
    await lockSession(tx, ended.sessionId);
    if (await isBound(tx, ended.sessionId)) return false;
    await noteIn(tx)(subjectOf(ended, by), 'intent');
    await also?.(tx);
    return true;
  });
}

async function revokeAtProvider(deps: DemoAccessContext, ended: Ended, by: By): Promise<boolean> {
  const outcome = await deps.provider.revokeSession(ended.sessionId);
  await tryNoteIn(deps)(subjectOf(ended, by), inWords(outcome), outcome.traceId);
  return outcome.ok ? outcome.value.user_id === deps.accounts.demoAccountId : outcome.reason === 'not_found';
}
