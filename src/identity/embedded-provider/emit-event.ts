import type { ServiceSql } from '../../database/roles.ts';
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

/** Writes a webhook to the outbox, in the transaction of the change; the caller wakes the delivery after the commit. */
export async function emitEvent(
  sql: ServiceSql,
  context: Pick<ProviderContext, 'keys'>,
  type: EventType,
  data: object,
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
  await insertMessage(sql, newId('msg'), type, JSON.stringify(payload));
}
