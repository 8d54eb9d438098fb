import type { ServiceSql } from '../../platform/database/roles.ts';
import { type Browser, toClientResponse, renewClient } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { emitEvent } from './emit-event.ts';
import { isReserved } from './own-account.ts';
import { enforceRateLimit } from './limit-attempts.ts';
import { newId } from './ids.ts';
import type { SessionRow } from './rows.ts';
import { insertSession } from './session-queries.ts';
import { toSessionResponse } from './responses.ts';

export interface StartedSession {
  session: SessionRow;
  /** Value of the new client cookie. */
  secret: string;
  /** The client as the response shows it. */
  client: object;
}

/** Starts a session in the caller's transaction. A rollback also removes a new user or restores a used ticket. */
export async function startSession(
  sql: ServiceSql,
  context: ProviderContext,
  userId: string,
  browser: Browser,
  hasSecondFactor = false,
): Promise<StartedSession> {
  // Visitors share the reserved accounts. Their sign-ins are limited where the tickets are created.
  if (!isReserved(context, userId)) await enforceRateLimit(context.limits.sessionsDay.consume(userId));
  const { client, secret } = await renewClient(sql, browser);
  const session = await insertSession(sql, {
    id: newId('sess'),
    clientId: client.id,
    userId,
    device: browser.device,
    lifetimeSeconds: context.sessionSeconds,
    hasSecondFactor,
  });
  await emitEvent(sql, context, 'session.created', toSessionResponse(session), browser.device);
  return { session, secret, client: await toClientResponse(context, client, browser.origin, sql) };
}
