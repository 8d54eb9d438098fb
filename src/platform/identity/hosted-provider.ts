import { createRemoteJWKSet } from 'jose';
import type { Logger } from 'pino';
import type { IdentityProvider } from './identity-provider.ts';
import type { ReservedAccounts } from './member.ts';
import { createProviderClient, type ProviderClient } from './provider-client.ts';

interface HostedProviderOptions {
  apiUrl: string;
  frontendApiUrl: string;
  secretKey: string;
  /** Secret that signs events. Without it every event is rejected. */
  webhookSecret: string | undefined;
  /** The reserved accounts that the settings name. */
  accounts: ReservedAccounts;
  logger?: Logger | undefined;
  timeoutMs?: number | undefined;
}

const NO_WEBHOOK_SECRET_WARNING =
  'IDP_WEBHOOK_SECRET is not set, so every event of the identity provider is rejected: referrals are found only by ' +
  'a request to the provider when a sign-up is reported, and new addresses and deleted members are not noticed';

/** Creates a client of the hosted identity provider, which manages the accounts. */
export function createHostedProvider(options: HostedProviderOptions): IdentityProvider {
  const { frontendApiUrl, secretKey, accounts } = options;
  const client = createProviderClient({
    apiUrl: options.apiUrl.replace(/\/v1$/, ''),
    secretKey,
    timeoutMs: options.timeoutMs,
  });
  return {
    issuer: frontendApiUrl,
    verificationKey: createRemoteJWKSet(new URL(`${frontendApiUrl}/.well-known/jwks.json`), {
      cooldownDuration: 30_000,
      timeoutDuration: 5_000,
      cacheMaxAge: 600_000,
    }),
    frontendApiUrl,
    connectTo: new URL(frontendApiUrl).origin,
    client,
    accounts,
    recovery: undefined,
    passkeyDomain: undefined,
    signUpMode: 'open',
    invitations: undefined,
    tasks: undefined,
    seedPeople: async () => ({ members: [], demoAccountIdpUserId: undefined, sampleUserIdpUserId: undefined }),
    hasUnfinishedFirstRun: async () => false,
    endFirstRun: async () => {},
    resetPassword: async () => ({ ok: false, reason: 'external_provider' }),
    resetSecondFactor: async () => 'external_provider',
    deleteUser: async () => 'external_provider',
    lockSession: async () => true,
    countActiveSessions: (idpIds) => countActiveSessions(client, idpIds),
    addRoutes: async () => {},
    startBackground() {
      if (options.webhookSecret === undefined) options.logger?.warn(NO_WEBHOOK_SECRET_WARNING);
      return undefined;
    },
  };
}

/** Calls at once, which stay below the rate limit of the hosted provider. */
const CONCURRENT_CALLS = 5;

/** Asks for the sessions of each user. Users whose call fails are absent. */
async function countActiveSessions(
  client: ProviderClient,
  idpIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (let start = 0; start < idpIds.length; start += CONCURRENT_CALLS)
    await Promise.all(
      idpIds.slice(start, start + CONCURRENT_CALLS).map(async (userId) => {
        const page = await client.listSessions({ userId, status: 'active', limit: 1 });
        if (page.ok) counts.set(userId, page.value.total_count);
      }),
    );
  return counts;
}
