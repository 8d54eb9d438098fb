import type { Database } from '../database/connect.ts';
import { AppError } from '../../errors.ts';
import { createMemberLimiters, limitPerMember } from '../http/member-rate-limit.ts';
import type { SharedRateLimits } from '../http/redis-rate-limiter.ts';
import type { TaskName } from '../jobs/task.ts';
import type { Feature } from '../../feature.ts';
import { memberRows } from './export-queries.ts';
import { createGuards, type Guards } from './guards.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { addIdentityRoutes } from './me-routes.ts';
import { isSampleOffered, type Member, type ReservedAccounts } from './member.ts';
import { listAllowedOrigins } from './origins.ts';
import type { ProviderClient } from './provider-client.ts';
import { ensureMember, purgeOldDeliveries, isMember } from './queries.ts';
import { createSessionCheck, type RequireMember } from './session-check.ts';

export interface IdentityOptions {
  database: Database;
  /** The identity provider: embedded or hosted. */
  provider: IdentityProvider;
  /** Public URL of the service. Tokens and writes with a session cookie are accepted only from its origin. */
  baseUrl: string;
  publishableKey: string | undefined;
  /** Maximum requests a minute of one member. Unlimited by default. */
  requestsPerMinute?: number | undefined;
  /** Returns the daily reset time of a demo account, HH:MM in UTC, or null. The UI shows it to demo users. */
  getDemoResetTime?: (idpId: string) => Promise<string | null>;
  /** Returns whether a valid session may be used. Demo access rejects sessions without a valid invitation. */
  sessionGate?: (member: Member) => Promise<boolean>;
  /** A monotonic clock in ms, for tests. */
  clock?: () => number;
  /** Creates the limiter of members' requests. By default this process counts them. */
  createLimiter?: SharedRateLimits['createLimiter'] | undefined;
}

export interface Identity extends Feature {
  readonly provider: IdentityProvider;
  /** Client of the provider's Backend API. */
  readonly client: ProviderClient;
  readonly guards: Guards;
  /** Session check with the rate limit of each member. */
  readonly requireMember: RequireMember;
  readonly accounts: ReservedAccounts;
  /** Returns whether a member with this identifier exists. */
  isMember(idpId: string): Promise<boolean>;
  readonly options: IdentityOptions;
}

const CLEANUP = 'cleanup-identity' as TaskName<Record<string, never>>;

/** Creates the session check, the guards and the identity routes. `webhook-routes.ts` has the webhooks. */
export function createIdentity(options: IdentityOptions) {
  const { provider, database, baseUrl, requestsPerMinute, createLimiter } = options;
  const { accounts, client } = provider;
  const origins = listAllowedOrigins(baseUrl);
  const checkSession = createSessionCheck({
    rules: { issuer: provider.issuer, authorizedParties: origins, keys: provider.verificationKey },
    origins,
    publishableKey: options.publishableKey,
    accounts,
    ensureMember: async (idpId) =>
      (await isMember(database.asMember({ sub: idpId }), idpId)) ||
      database.transactionAs({ sub: idpId }, ({ service }) => ensureMember(service, idpId)),
    sessionGate: options.sessionGate,
    clock: options.clock,
  });
  const limiters = requestsPerMinute === undefined ? undefined : createMemberLimiters(requestsPerMinute, createLimiter);
  const requireMember = limiters ? limitPerMember(checkSession, limiters) : checkSession;
  const limit = limiters && ({ per: 'member', rates: [limiters.requests.rate, limiters.writes.rate] } as const);
  const isSessionActive = async (sessionId: string): Promise<boolean> => {
    const session = await client.getSession(sessionId);
    if (session.ok) return session.value.status === 'active';
    if (session.reason === 'not_found') return false;
    throw new AppError('UNAVAILABLE', { retryAfter: 5 });
  };
  const sessions = { isActive: isSessionActive, lockSession: provider.lockSession };
  const guards = createGuards(requireMember, sessions, limit);
  const getPublicSettings = async () => ({
    base_url: baseUrl,
    frontend_api_url: provider.frontendApiUrl,
    publishable_key: options.publishableKey ?? '',
    demo_account:
      accounts.demoAccountId === undefined
        ? null
        : {
            idp_user_id: accounts.demoAccountId,
            reset_at: (await options.getDemoResetTime?.(accounts.demoAccountId)) ?? null,
          },
    sign_up: provider.signUpMode,
    password_recovery: provider.recovery ?? null,
    passkey_domain: provider.passkeyDomain ?? null,
    sample_user: isSampleOffered(accounts) ? { idp_user_id: accounts.sampleUserId } : null,
  });
  return {
    name: 'identity',
    memberRows,
    options,
    provider,
    accounts,
    client,
    guards,
    requireMember,
    isMember: (idpId) => isMember(database.service, idpId),
    /** Adds the provider's own routes, `GET /api/config` and `GET /api/me`. */
    async register(app) {
      await provider.addRoutes(app);
      addIdentityRoutes(app, { database, guards, settings: getPublicSettings });
    },
    tasks: { ...provider.tasks, [CLEANUP]: () => purgeOldDeliveries(database.service) },
    // Every day at 03:17 UTC.
    schedules: [{ task: CLEANUP, match: '17 3 * * *' }],
    startBackground: (localUrl) => provider.startBackground(localUrl),
  } satisfies Identity;
}
