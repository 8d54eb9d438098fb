import type { ServiceSql } from '../../platform/database/roles.ts';
import { type Browser, toClientResponse, renewClient } from './browser-client.ts';
import type { ProviderContext } from './context.ts';
import { emitEvent } from './emit-event.ts';
import { newId } from './ids.ts';
import type { SessionRow } from './rows.ts';
import { insertSession } from './session-queries.ts';
import { toSessionResponse } from './responses.ts';

export interface StartedSession {
  session: SessionRow;
  /** The new client cookie. */
  secret: string;
  /** The client as the answer shows it. */
  client: object;
}

/** Begins a session in the caller's transaction, so that a new person or a used ticket is rolled back with it. */
export async function startSession(
  sql: ServiceSql,
  context: ProviderContext,
  userId: string,
  browser: Browser,
): Promise<StartedSession> {
  const { client, secret } = await renewClient(sql, browser);
  const session = await insertSession(sql, {
    id: newId('sess'),
    clientId: client.id,
    userId,
    device: browser.device,
    lifetimeSeconds: context.sessionSeconds,
  });
  await emitEvent(sql, context, 'session.created', toSessionResponse(session), browser.device);
  return { session, secret, client: await toClientResponse(context, client, browser.origin, sql) };
}
