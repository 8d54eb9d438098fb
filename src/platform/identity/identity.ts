import { createRemoteJWKSet } from 'jose';
import type { Logger } from 'pino';
import type { Database } from '../database/connect.ts';
import { Failure } from '../../errors.ts';
import type { HttpApp } from '../http/app-type.ts';
import { limitPerMember } from '../http/member-limit.ts';
import type { SharedLimits } from '../http/shared-limits.ts';
import type { Slice } from '../../slice.ts';
import { BASE_PATH } from '../../embedded/identity/context.ts';
import {
  createEmbeddedProvider,
  type EmbeddedProvider,
  type EmbeddedProviderOptions,
} from '../../embedded/identity/provider.ts';
import { memberRows as embeddedRows } from '../../embedded/identity/export-queries.ts';
import { memberRows } from './export-queries.ts';
import { inProcessFetch } from './in-process-fetch.ts';
import { addIdentityRoutes } from './me-routes.ts';
import type { Member, SpecialAccounts } from './member.ts';
import { allowedOrigins } from './origins.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';
import { ensureMember, isMember } from './queries.ts';
import { createGuards, type Guards } from './guards.ts';
import { createSessionCheck, type RequireMember } from './session-check.ts';
import { identitySchedules, identityTasks } from './tidy-identity.ts';

export interface IdentityOptions {
  database: Database;
  /** Where people reach the service; its origin is the one that tokens and cookie-carried writes may come from. */
  baseUrl: string;
  secretKey: string;
  /** `whsec_…`; without it the webhook route answers NOT_CONFIGURED. */
  webhookSecret: string | undefined;
  publishableKey: string | undefined;
  /** The hosted provider's addresses; without them the embedded provider runs under `/_idp`. */
  hosted?: { apiUrl: string; frontendApiUrl: string; timeoutMs?: number } | undefined;
  accounts: SpecialAccounts;
  /** Requests a minute that one member may make; any number without it. */
  requestsPerMinute?: number | undefined;
  /** When an account's demo data are put back each day, HH:MM in UTC, or null; viewers are told. */
  demoResetTimeOf?: (idpId: string) => Promise<string | null>;
  /** Hears of deliveries and calls inside the process that failed. */
  logger?: Logger | undefined;
  /** Refuses sessions that are valid in themselves: the demo-access gate. */
  sessionGate?: (member: Member) => Promise<boolean>;
  /** A monotonic clock in milliseconds, for tests. */
  clock?: () => number;
  /** Makes the limits of members' requests and of sign-in attempts; without it this process counts them. */
  limiterOf?: SharedLimits['limiter'] | undefined;
  /** Settings of the embedded provider, for tests. */
  embedded?: Pick<EmbeddedProviderOptions, 'sessionSeconds' | 'limits' | 'passwordCost'>;
}

export interface Identity extends Slice {
  /** The provider's Backend API. */
  readonly client: ProviderClient;
  readonly guards: Guards;
  /** The check that the guards stand on: within the limit of requests. */
  readonly requireMember: RequireMember;
  readonly accounts: SpecialAccounts;
  /** Whether there is a member of this identifier here. */
  isMember(idpId: string): Promise<boolean>;
  /** For the web app: where sign-up and sign-in go; a path beside the embedded provider. */
  readonly frontendApiUrl: string;
  /** Another origin that pages talk to, which is the hosted provider's. */
  readonly connectTo: string | undefined;
  /** `undefined` beside a hosted provider. */
  readonly embedded: EmbeddedProvider | undefined;
  readonly options: IdentityOptions;
  /** Adds `/_idp/**` (embedded only), `GET /api/config` and `GET /api/me`. */
  register(app: HttpApp): Promise<void>;
}

const WITHOUT_EVENTS =
  'IDP_WEBHOOK_SECRET is not set, so no event of the identity provider is accepted: referrals are found only by ' +
  'asking the provider when a sign-up is reported, and new addresses and deletions of members are not heard of';

/** Sign-up, sign-in and the session check, without the provider's events. Idle until its routes are registered. */
export function createIdentity(options: IdentityOptions): Identity {
  const { hosted, accounts, database, baseUrl, secretKey, requestsPerMinute, limiterOf, logger } = options;
  const embedded = hosted
    ? undefined
    : createEmbeddedProvider({ sql: database.service, baseUrl, secretKey, accounts, limiterOf, ...options.embedded });
  const issuer = hosted?.frontendApiUrl ?? embedded!.issuer;
  const frontendApiUrl = hosted?.frontendApiUrl ?? BASE_PATH;
  const origins = allowedOrigins(baseUrl);
  const check = createSessionCheck({
    rules: {
      issuer,
      authorizedParties: origins,
      keys: embedded
        ? embedded.verificationKey
        : createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), {
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
  });
  const requireMember =
    requestsPerMinute === undefined
      ? check
      : limitPerMember(check, requestsPerMinute, limiterOf?.({ name: 'api', limit: requestsPerMinute }));
  const client = createProviderClient(
    embedded
      ? { apiUrl: issuer, secretKey, fetch: inProcessFetch(embedded.addRoutes, logger) }
      : { ...hosted!, apiUrl: hosted!.apiUrl.replace(/\/v1$/, ''), secretKey },
  );
  const guards = createGuards(requireMember, async (sessionId) => {
    const found = await client.getSession(sessionId);
    if (found.ok) return found.value.status === 'active';
    if (found.reason === 'not_found') return false;
    throw new Failure('UNAVAILABLE', { retryAfter: 5 });
  });
  return {
    name: 'identity',
    memberRows: { ...memberRows, ...embeddedRows },
    options,
    accounts,
    embedded,
    frontendApiUrl,
    connectTo: hosted && new URL(hosted.frontendApiUrl).origin,
    client,
    guards,
    requireMember,
    isMember: (idpId) => isMember(database.service, idpId),
    async register(app) {
      await embedded?.addRoutes(app);
      const { demoResetTimeOf } = options;
      const settings = async () => ({
        base_url: baseUrl,
        frontend_api_url: frontendApiUrl,
        publishable_key: options.publishableKey ?? '',
        demo_account:
          accounts.demoAccountId === undefined
            ? null
            : {
                idp_user_id: accounts.demoAccountId,
                reset_at: (await demoResetTimeOf?.(accounts.demoAccountId)) ?? null,
              },
      });
      addIdentityRoutes(app, { database, guards, settings });
    },
    tasks: identityTasks(database.service),
    schedules: identitySchedules,
    startBackground(localUrl) {
      if (hosted && options.webhookSecret === undefined) logger?.warn(WITHOUT_EVENTS);
      if (!embedded || options.webhookSecret === undefined) return undefined;
      const delivery = embedded.startWebhookDelivery({
        secret: options.webhookSecret,
        receiverUrl: `${localUrl}/api/webhooks/identity`,
        warn: (details, message) => logger?.warn(details, message),
      });
      return () => delivery.stop();
    },
  };
}
