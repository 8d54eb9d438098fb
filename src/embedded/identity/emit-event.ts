import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Device, ProviderContext } from './context.ts';
import { newId } from './ids.ts';
import { insertMessage } from './webhook-queries.ts';

type EventType =
  | 'user.created'
  | 'user.updated'
  | 'user.deleted'
  | 'session.created'
  | 'session.ended'
  | 'session.removed'
  | 'session.revoked';

/** Runs a change and its webhooks in one transaction. Wakes the delivery if `Made` is defined. */
export async function commitWithEvents<Made extends object | undefined>(
  { sql, wake }: ProviderContext,
  change: (sql: ServiceSql) => Promise<Made>,
): Promise<Made> {
  const result = await sql.transaction(change);
  if (result !== undefined) wake();
  return result;
}

/** Writes a webhook about a user or a session to the outbox in the transaction of the change. */
export async function emitEvent(
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  type: EventType,
  data: { id: string; user_id?: string },
  device: Device,
): Promise<void> {
  const payload = {
    data,
    event_attributes: { http_request: { client_ip: device.ipAddress ?? '', user_agent: device.userAgent ?? '' } },
    instance_id: await context.keys.instanceId(),
    object: 'event',
    timestamp: Date.now(),
    type,
  };
  await insertMessage(sql, {
    id: newId('msg'),
    type,
    userId: data.user_id ?? data.id,
    payload: JSON.stringify(payload),
  });
}
