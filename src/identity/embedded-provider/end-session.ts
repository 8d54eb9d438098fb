import type { Device, ProviderContext } from './context.ts';
import { emitEvent } from './emit-event.ts';
import type { SessionRow } from './rows.ts';
import { closeOtherSessions, closeSession } from './session-queries.ts';
import { sessionShape } from './shapes.ts';

/** Ends a living session and tells of it; `undefined` where it was over already. */
export async function endSession(
  context: ProviderContext,
  id: string,
  status: 'ended' | 'removed' | 'revoked',
  device: Device,
): Promise<SessionRow | undefined> {
  const closed = await context.sql.transaction(async (sql) => {
    const session = await closeSession(sql, id, status);
    if (session) await emitEvent(sql, context, `session.${status}`, sessionShape(session), device);
    return session;
  });
  if (closed) context.wake();
  return closed;
}

/** Ends every other session of the person. */
export async function endOtherSessions(
  context: ProviderContext,
  userId: string,
  keepId: string,
  device: Device,
): Promise<void> {
  await context.sql.transaction(async (sql) => {
    for (const session of await closeOtherSessions(sql, userId, keepId)) {
      await emitEvent(sql, context, 'session.revoked', sessionShape(session), device);
    }
  });
  context.wake();
}
