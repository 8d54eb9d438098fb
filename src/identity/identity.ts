import { createRemoteJWKSet } from 'jose';
import type { Database } from '../database/connect.ts';
import type { HttpApp } from '../http/app-type.ts';
import { keysInProcess } from './embedded-keys.ts';
import type { AttemptLimits, EmbeddedProvider } from './embedded-provider/provider.ts';
import { createEmbeddedProvider } from './embedded-provider/provider.ts';
import { inProcessFetch } from './in-process-fetch.ts';
import { addMeRoute } from './me-routes.ts';
import type { Member, SpecialAccounts } from './member.ts';
import { allowedOrigins } from './origins.ts';
import type { ProviderClient } from './provider-client.ts';
import { createProviderClient } from './provider-client.ts';
import { ensureMember } from './queries.ts';
import type { RowOwner } from './delete-member.ts';
import type { Guards } from './guards.ts';
import { createGuards } from './guards.ts';
import type { RequireMember } from './session-check.ts';
import { createSessionCheck } from './session-check.ts';
import type { WebhookHooks } from './webhook-routes.ts';
import { addWebhookRoutes } from './webhook-routes.ts';

export interface IdentityOptions {
  database: Database;
  /** Where people reach the service; its origin is the one that tokens and cookie-carried writes may come from. */
  baseUrl: string;
  secretKey: string;
  /** `whsec_…`; without it the webhook route answers NOT_CONFIGURED. */
  webhookSecret: string | undefined;
  publishableKey: string | undefined;
  /** The hosted provider's addresses; without them the embedded provider runs under `/_idp`. */
  hosted?: { apiUrl: string; frontendApiUrl: string } | undefined;
  /** Read on every request: the first start may fill them in later. */
  accounts: SpecialAccounts;
  hooks?: WebhookHooks;
  /** Who keeps rows of members, each above what it stands on. */
  owners?: readonly RowOwner[];
  /** Refuses sessions that are valid in themselves: the demo-access gate. */
  sessionGate?: (member: Member) => Promise<boolean>;
  /** A monotonic clock in milliseconds, for tests. */
  clock?: () => number;
  /** Settings of the embedded provider, for tests. */
  embedded?: { sessionSeconds?: number; limits?: Partial<AttemptLimits> };
}

export interface Identity {
  /** The provider's Backend API. */
  readonly client: ProviderClient;
  readonly requireMember: RequireMember;
  readonly accounts: SpecialAccounts;
  /** For the web app: where sign-up and sign-in go. */
  readonly frontendApiUrl: string;
  /** `undefined` beside a hosted provider. */
  readonly embedded: EmbeddedProvider | undefined;
  readonly options: IdentityOptions;
  /** Set by `registerIdentityRoutes`; calls of the embedded provider travel through it. */
  app: HttpApp | undefined;
}

/** Everything that has to do with who somebody is. Does nothing until its routes are registered. */
export function createIdentity(options: IdentityOptions): Identity {
  const { hosted, accounts, database, secretKey } = options;
  const embedded = hosted
    ? undefined
    : createEmbeddedProvider({
        sql: database.service,
        baseUrl: options.baseUrl,
        secretKey,
        accounts,
        ...options.embedded,
      });
  const frontendApiUrl = hosted?.frontendApiUrl ?? embedded!.issuer;
  const origins = allowedOrigins(options.baseUrl);
  const identity: Identity = {
    options,
    accounts,
    embedded,
    frontendApiUrl,
    app: undefined,
    client: createProviderClient(
      hosted
        ? { apiUrl: hosted.apiUrl.replace(/\/v1$/, ''), secretKey }
        : { apiUrl: frontendApiUrl, secretKey, fetch: (target, init) => inProcessFetch(identity.app!)(target, init) },
    ),
    requireMember: createSessionCheck({
      rules: {
        issuer: frontendApiUrl,
        authorizedParties: origins,
        keys: embedded
          ? keysInProcess(() => embedded.jwks())
          : createRemoteJWKSet(new URL(`${frontendApiUrl}/.well-known/jwks.json`), {
              cooldownDuration: 30_000,
              timeoutDuration: 5_000,
              cacheMaxAge: 600_000,
            }),
      },
      origins,
      publishableKey: options.publishableKey,
      accounts,
      ensureMember: (idpId) => ensureMember(database.service, idpId),
      sessionGate: options.sessionGate,
      clock: options.clock,
    }),
  };
  return identity;
}

/** `/_idp/**` (embedded only), `POST /api/webhooks/identity`, `GET /api/me` behind `guards`, which the app makes with a rate limit. */
export async function registerIdentityRoutes(
  app: HttpApp,
  identity: Identity,
  {
    guards = createGuards(identity.requireMember),
    owners = identity.options.owners ?? [],
  }: { guards?: Guards; owners?: readonly RowOwner[] } = {},
): Promise<void> {
  const { options, embedded } = identity;
  identity.app = app;
  await embedded?.addRoutes(app);
  const { webhookSecret: secret, hooks = {} } = options;
  addWebhookRoutes(app, { sql: options.database.service, secret, hooks, owners });
  addMeRoute(app, { database: options.database, guards });
}
