import type { ServiceSql } from '../database/roles.ts';
import { addSignedWebhook } from '../http/signed-webhook.ts';
import { createStandardWebhooksScheme } from '../http/webhook-schemes/standard-webhooks.ts';
import type { Feature } from '../../feature.ts';
import { deleteMember } from './delete-member.ts';
import { recordDelivery, upsertMember } from './queries.ts';
import {
  findPrimaryEmail,
  type SessionEvent,
  type UserCreated,
  webhookEvent,
  type WebhookEvent,
} from './webhook-events.ts';

/** Further work of an event in its transaction. If a hook throws, the provider delivers the event again. */
interface WebhookHooks {
  onUserCreated?(sql: ServiceSql, event: UserCreated): Promise<void>;
  onSessionEvent?(sql: ServiceSql, event: SessionEvent): Promise<void>;
}

export interface ProviderEventDependencies {
  sql: ServiceSql;
  /** Signing secret. Without it the route returns NOT_CONFIGURED. */
  secret: string | undefined;
  hooks?: WebhookHooks;
  /** Owners that delete a deleted member's rows in that transaction, each before those it depends on. */
  owners?: readonly Pick<Feature, 'onUserDeleted'>[];
}

/**
 * Creates the feature of `POST /api/webhooks/identity`, the provider's events. It is created after every feature with a
 * hook.
 */
export const createProviderEvents = (deps: ProviderEventDependencies): Feature => ({
  name: 'identity-events',
  register: (app) =>
    addSignedWebhook(app, {
      path: '/api/webhooks/identity',
      sender: 'the identity provider',
      scheme: deps.secret === undefined ? undefined : createStandardWebhooksScheme([deps.secret]),
      event: webhookEvent,
      sql: deps.sql,
      recordDelivery: (sql, id, event) => recordDelivery(sql, id, event.type),
      handle: (sql, event) => handleEvent(sql, event, deps),
    }),
});

async function handleEvent(
  sql: ServiceSql,
  event: WebhookEvent,
  { hooks = {}, owners = [] }: ProviderEventDependencies,
): Promise<void> {
  switch (event.kind) {
    case 'user': {
      const { data } = event;
      const email = findPrimaryEmail(data);
      const createdAt = new Date(data.created_at);
      const updatedAt = new Date(data.updated_at);
      const memberExists = await upsertMember(sql, { idpId: data.id, email, createdAt, updatedAt });
      if (!memberExists || event.type !== 'user.created') return;
      const httpRequest = event.event_attributes?.http_request;
      const metadata = {
        unsafeMetadata: data.unsafe_metadata ?? {},
        clientIp: httpRequest?.client_ip || null,
        userAgent: httpRequest?.user_agent || null,
      };
      return hooks.onUserCreated?.(sql, { idpId: data.id, email, createdAt, ...metadata });
    }
    case 'deletion':
      return deleteMember(sql, event.data.id, owners);
    case 'session': {
      const { type, data } = event;
      const { id: sessionId, user_id: idpId, created_at: createdAt } = data;
      return hooks.onSessionEvent?.(sql, { type, sessionId, idpId, createdAt: new Date(createdAt) });
    }
    case 'other':
      return;
  }
}
