import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Device, ProviderContext } from './context.ts';
import { commitWithEvents, emitEvent } from './emit-event.ts';
import type { SessionRow } from './rows.ts';
import { closeOtherSessions, closeSession } from './session-queries.ts';
import { toSessionResponse } from './responses.ts';

type EndStatus = 'ended' | 'removed' | 'revoked';

/** Ends an active session and emits the event. Returns `undefined` if the session had already ended. */
export const endSession = (context: ProviderContext, id: string, status: EndStatus, device: Device) =>
  commitWithEvents(context, (sql) => closeSessionWithEvent(sql, context, id, status, device));

/** Like `endSession`, in the caller's transaction. */
export async function closeSessionWithEvent(
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  id: string,
  status: EndStatus,
  device: Device,
): Promise<SessionRow | undefined> {
  const session = await closeSession(sql, id, status);
  if (session) await emitEvent(sql, context, `session.${status}`, toSessionResponse(session), device);
  return session;
}

/** Ends every session of the user, except `exceptId` if it is given, in the caller's transaction. Emits the events. */
export async function endOtherSessions(
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  userId: string,
  exceptId: string | null,
  device: Device,
): Promise<void> {
  for (const session of await closeOtherSessions(sql, userId, exceptId))
    await emitEvent(sql, context, 'session.revoked', toSessionResponse(session), device);
}
