import type { JWK } from 'jose';
import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import type { SharedRateLimits } from '../../platform/http/redis-rate-limiter.ts';
import type { IdentityProvider, SignUpMode } from '../../platform/identity/identity-provider.ts';
import type { Mailer } from '../../platform/mail/mailer.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import { listAllowedOrigins } from '../../platform/identity/origins.ts';
import { createProviderClient } from '../../platform/identity/provider-client.ts';
import { inProcessFetch } from '../shared/in-process-fetch.ts';
import { createAccountMailTask, SEND_ACCOUNT_MAIL } from './account-mail.ts';
import { BASE_PATH, type ProviderContext } from './context.ts';
import type { WebhookDelivery } from '../../platform/http/deliver-webhooks.ts';
import { type DeliveryOptions, startWebhookDelivery } from './deliver-webhooks.ts';
import { resetSecondFactor } from './change-second-factor.ts';
import { createInvitations } from './invitations.ts';
import { lockActiveSession } from './own-account.ts';
import { findPasskeySite } from './passkey-site.ts';
import type { PasswordCost } from './passwords.ts';
import { addProviderRoutes } from './provider-routes.ts';
import { removeUser } from './remove-user.ts';
import { resetPassword } from './reset-password.ts';
import { seedPeople } from './seed-people.ts';
import { countActiveSessions } from './session-queries.ts';
import { createKeyRing } from './signing-keys.ts';
import { endFirstRun, hasUnfinishedFirstRun } from './user-queries.ts';

/** Lifetime of a session in seconds, which activity does not extend. */
const SESSION_SECONDS = 7 * 86_400;

/**
 * Limits of a member's requests within a minute and changes of one kind within a day, of attempts within ten seconds,
 * of an address's attempts within a day, which bound its sessions, and within an hour of wrong passwords and codes for
 * one account and of mails. At the limit of wrong passwords or codes the account is locked. The hosted provider documents
 * `signInPerPerson` and `failuresPerHour`.
 */
export const IDENTITY_LIMITS = {
  requestsPerMember: 300,
  changesPerMemberAndDay: 1_000,
  signInPerPerson: 5,
  signInPerAddress: 60,
  signInPerAddressAndDay: 10_000,
  signUpPerAddress: 30,
  failuresPerHour: 100,
  codesPerHour: 20,
  mailsPerAddressAndHour: 20,
  mailsPerRecipientAndHour: 5,
  mailsToUnprovedPerRecipientAndHour: 3,
};
/** Window in ms of the limits of attempts. */
export const ATTEMPTS_WINDOW_MS = 10_000;
/** Hashes for unknown browsers at an address within ten minutes, above which other addresses go first. */
const PASSWORD_HASHES = 5;
const PASSWORD_HASHES_WINDOW_MS = 600_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
/** Times that the limits of sign-ups and of a user's sign-ins within ten seconds may be used up on a day. */
const FULL_WINDOWS_PER_DAY = 50;

export interface EmbeddedProviderOptions {
  sql: ServiceSql;
  baseUrl: string;
  secretKey: string;
  /** Secret that signs events (`whsec_…`). Without it no event is delivered. */
  webhookSecret?: string | undefined;
  accounts: ReservedAccounts;
  /** Who may sign up (default: everybody). */
  signUpMode?: SignUpMode | undefined;
  /** Sends links to members. Without it, only the operator gives links out. */
  mailer?: Mailer | undefined;
  /** Logs failed deliveries and in-process calls. */
  logger?: Logger | undefined;
  sessionSeconds?: number | undefined;
  /**
   * Cost of password hashes, for tests that do not test passwords. The production cost would take a tenth of their
   * time.
   */
  passwordCost?: PasswordCost | undefined;
  limits?: Partial<typeof IDENTITY_LIMITS> | undefined;
  /** Creates the attempt limiters. By default the limits are counted in this process. */
  createLimiter?: SharedRateLimits['createLimiter'] | undefined;
}

export interface EmbeddedProvider extends IdentityProvider {
  jwks(): Promise<{ keys: JWK[] }>;
  /** Creates a new signing key and returns its id. Tokens of the old key stay valid. */
  rotateKey(): Promise<string>;
  /** Starts the delivery of the outbox. The provider wakes it after each change. */
  startWebhookDelivery(options: Omit<DeliveryOptions, 'sql'>): WebhookDelivery;
}

/**
 * Creates the embedded identity provider. It implements the APIs of the hosted one and stores its state in the schema
 * `idp`.
 */
export function createEmbeddedProvider(options: EmbeddedProviderOptions): EmbeddedProvider {
  const { sql, secretKey, webhookSecret, accounts, logger, mailer, signUpMode = 'open' } = options;
  const base = new URL(options.baseUrl);
  const issuer = `${base.origin}${BASE_PATH}`;
  const limits = { ...IDENTITY_LIMITS, ...options.limits };
  const { createLimiter = createRateLimiter } = options;
  const createNamedLimiter = (name: string, limit: number, windowMs = ATTEMPTS_WINDOW_MS) =>
    createLimiter({ name, limit, windowMs });
  const deliveries = new Set<WebhookDelivery>();
  const origins = listAllowedOrigins(options.baseUrl);
  const passkeySite = findPasskeySite(origins);
  const context: ProviderContext = {
    sql,
    keys: createKeyRing(sql),
    issuer,
    secretKey,
    origins,
    homeOrigin: base.origin,
    secureCookie: base.protocol === 'https:',
    passkeySite,
    accounts,
    sessionSeconds: options.sessionSeconds ?? SESSION_SECONDS,
    passwordCost: options.passwordCost,
    limits: {
      member: createNamedLimiter('identity-member', limits.requestsPerMember, 60_000),
      changesDay: {
        profile: createNamedLimiter('identity-profile-day', limits.changesPerMemberAndDay, DAY_MS),
        password: createNamedLimiter('identity-password-day', limits.changesPerMemberAndDay, DAY_MS),
        secondFactor: createNamedLimiter('identity-second-factor-day', limits.changesPerMemberAndDay, DAY_MS),
      },
      signIn: createNamedLimiter('sign-in', limits.signInPerPerson),
      signInAddress: createNamedLimiter('sign-in-address', limits.signInPerAddress),
      signInAddressDay: createNamedLimiter('sign-in-address-day', limits.signInPerAddressAndDay, DAY_MS),
      signUpAddress: createNamedLimiter('sign-up-address', limits.signUpPerAddress),
      signUpAddressDay: createNamedLimiter(
        'sign-up-address-day',
        limits.signUpPerAddress * FULL_WINDOWS_PER_DAY,
        DAY_MS,
      ),
      sessionsDay: createNamedLimiter('sessions-day', limits.signInPerPerson * FULL_WINDOWS_PER_DAY, DAY_MS),
      failures: createNamedLimiter('sign-in-failures', limits.failuresPerHour, HOUR_MS),
      passwordHashes: createNamedLimiter('address-hashes', PASSWORD_HASHES, PASSWORD_HASHES_WINDOW_MS),
      codes: createNamedLimiter('sign-in-codes', limits.codesPerHour, HOUR_MS),
      mailAddress: createNamedLimiter('account-mail-address', limits.mailsPerAddressAndHour, HOUR_MS),
      mailRecipient: createNamedLimiter('account-mail-recipient', limits.mailsPerRecipientAndHour, HOUR_MS),
    },
    signUpMode,
    sendsMail: mailer !== undefined,
    wake: () => deliveries.forEach((delivery) => delivery.wake()),
  };
  const addRoutes: EmbeddedProvider['addRoutes'] = (app) => addProviderRoutes(app, context);
  const startDelivery: EmbeddedProvider['startWebhookDelivery'] = (delivery) => {
    const started = startWebhookDelivery({ ...delivery, sql });
    deliveries.add(started);
    return {
      wake: started.wake,
      async stop() {
        deliveries.delete(started);
        await started.stop();
      },
    };
  };
  return {
    issuer,
    jwks: context.keys.jwks,
    verificationKey: context.keys.verificationKey,
    rotateKey: context.keys.rotate,
    frontendApiUrl: BASE_PATH,
    connectTo: undefined,
    client: createProviderClient({ apiUrl: issuer, secretKey, fetch: inProcessFetch(addRoutes, logger) }),
    accounts,
    seedPeople: () => seedPeople(context),
    hasUnfinishedFirstRun: () => hasUnfinishedFirstRun(sql),
    endFirstRun: () => endFirstRun(sql),
    resetSecondFactor: (idpId) => resetSecondFactor(context, idpId),
    resetPassword: (idpId) => resetPassword(context, idpId),
    signUpMode,
    invitations: createInvitations(context),
    deleteUser: async (idpId) => {
      await removeUser(context, idpId);
      return 'done';
    },
    lockSession: async (tx, { idpId, sessionId }) => (await lockActiveSession(tx, idpId, sessionId)) !== undefined,
    countActiveSessions: (idpIds) => countActiveSessions(sql, idpIds),
    passkeyDomain: passkeySite?.domain,
    recovery: mailer ? 'email' : 'operator',
    tasks: mailer
      ? {
          [SEND_ACCOUNT_MAIL]: createAccountMailTask({
            sql,
            mailer,
            limits: {
              all: createNamedLimiter('mails-to-recipient', limits.mailsPerRecipientAndHour, HOUR_MS),
              toUnproved: createNamedLimiter('mails-to-unproved', limits.mailsToUnprovedPerRecipientAndHour, HOUR_MS),
            },
            origin: base.origin,
            logger,
          }),
        }
      : undefined,
    addRoutes,
    startWebhookDelivery: startDelivery,
    startBackground(localUrl) {
      if (webhookSecret === undefined) return undefined;
      const delivery = startDelivery({
        secret: webhookSecret,
        receiverUrl: `${localUrl}/api/webhooks/identity`,
        warn: (details, message) => logger?.warn(details, message),
      });
      return () => delivery.stop();
    },
  };
}
