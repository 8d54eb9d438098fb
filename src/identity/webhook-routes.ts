import { z } from 'zod';
import type { ServiceSql } from '../database/roles.ts';
import { Failure } from '../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import type { Slice } from '../slice.ts';
import { openTo } from '../http/guard.ts';
import { markMemberDeleted, recordDelivery, upsertMember } from './queries.ts';
import type { SessionEvent, UserCreated, WebhookEvent } from './webhook-events.ts';
import { primaryEmail, webhookEvent } from './webhook-events.ts';
import { checkDelivery } from './webhook-signature.ts';

const BODY_LIMIT = 262_144;

/** What else happens on an event, in the same transaction: when it throws nothing is kept and the provider delivers again. */
export interface WebhookHooks {
  onUserCreated?(sql: ServiceSql, event: UserCreated): Promise<void>;
  onSessionEvent?(sql: ServiceSql, event: SessionEvent): Promise<void>;
}

export interface ProviderEventDependencies {
  sql: ServiceSql;
  /** Without it the route answers NOT_CONFIGURED. */
  secret: string | undefined;
  hooks?: WebhookHooks;
  /** Who deletes what a deleted member owned, in the same transaction too. */
  owners?: readonly Pick<Slice, 'onUserDeleted'>[];
}

/** The provider's events: made above every slice that has something to do on one. */
export const createProviderEvents = (deps: ProviderEventDependencies): Slice => ({
  name: 'identity-events',
  register: (app) => addWebhookRoutes(app, deps),
});

const received = z.object({ received: z.literal(true) });

/**
 * `POST /api/webhooks/identity`: the provider's signed events. The signature is checked over the raw bytes before anything
 * else; each delivery id takes effect once; a fault answers 5xx, so that the provider delivers again.
 */
function addWebhookRoutes(app: HttpApp, deps: ProviderEventDependencies): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );

    (scope as unknown as HttpApp).post(
      '/api/webhooks/identity',
      {
        config: { guard: openTo('the provider signs what it sends') },
        schema: { hide: true, response: { 200: received } },
      },
      async (request) => {
        if (deps.secret === undefined) throw new Failure('NOT_CONFIGURED');
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const check = checkDelivery(deps.secret, request.headers, body, Date.now() / 1000);
        if (!check.ok) {
          request.log.warn({ reason: check.reason }, 'webhook refused');
          throw new Failure('UNAUTHENTICATED', { message: 'The signature of this delivery is not valid.' });
        }
        const event = parse(body);
        await deps.sql.transaction(async (sql) => {
          if (await recordDelivery(sql, check.id, event.type)) await handle(sql, event, deps);
        });
        return { received: true as const };
      },
    );
  });
}

function parse(body: Buffer): WebhookEvent {
  let json: unknown;
  try {
    json = JSON.parse(body.toString('utf8'));
  } catch {
    throw new Failure('INVALID_REQUEST', { issues: [{ path: '', message: 'the body is not valid JSON' }] });
  }
  const result = webhookEvent.safeParse(json);
  if (!result.success)
    throw new Failure('INVALID_REQUEST', {
      issues: [{ path: '', message: 'the body is no event of the identity provider' }],
    });
  return result.data;
}

async function handle(
  sql: ServiceSql,
  event: WebhookEvent,
  { hooks = {}, owners = [] }: ProviderEventDependencies,
): Promise<void> {
  switch (event.kind) {
    case 'user': {
      const { data } = event;
      const email = primaryEmail(data);
      const createdAt = new Date(data.created_at);
      await upsertMember(sql, { idpId: data.id, email, createdAt, updatedAt: new Date(data.updated_at) });
      if (event.type !== 'user.created') return;
      const from = event.event_attributes?.http_request;
      const metadata = {
        unsafeMetadata: data.unsafe_metadata ?? {},
        clientIp: from?.client_ip || null,
        userAgent: from?.user_agent || null,
      };
      return hooks.onUserCreated?.(sql, { idpId: data.id, email, createdAt, ...metadata });
    }
    case 'deletion':
      await markMemberDeleted(sql, event.data.id);
      for (const owner of owners) await owner.onUserDeleted?.(sql, event.data.id);
      return;
    case 'session': {
      const { data, type } = event;
      return hooks.onSessionEvent?.(sql, {
        type,
        sessionId: data.id,
        idpId: data.user_id,
        createdAt: new Date(data.created_at),
      });
    }
    case 'other':
      return;
  }
}
