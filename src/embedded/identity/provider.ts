import type { JWK, JWTVerifyGetKey } from 'jose';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { HttpApp } from '../../platform/http/app-type.ts';
import { createRateLimiter } from '../../platform/http/rate-limit.ts';
import type { SharedLimits } from '../../platform/http/shared-limits.ts';
import type { SpecialAccounts } from '../../platform/identity/member.ts';
import { allowedOrigins } from '../../platform/identity/origins.ts';
import { BASE_PATH, type ProviderContext } from './context.ts';
import type { WebhookDelivery } from '../../platform/http/deliver-webhooks.ts';
import { type DeliveryOptions, startWebhookDelivery } from './deliver-webhooks.ts';
import type { PasswordCost } from './passwords.ts';
import { addProviderRoutes } from './provider-routes.ts';
import { createKeyRing } from './signing-keys.ts';

/** Sessions end seven days after they began, whatever happens in between. */
const SESSION_SECONDS = 7 * 86_400;

/**
 * Attempts in ten seconds, and wrong passwords for one account in an hour, from wherever, until it is locked for the
 * rest of it. The hosted provider documents the first and the last.
 */
const LIMITS = { signInPerPerson: 5, signInPerAddress: 60, signUpPerAddress: 30, failuresPerHour: 100 };

export interface EmbeddedProviderOptions {
  sql: ServiceSql;
  baseUrl: string;
  secretKey: string;
  accounts: SpecialAccounts;
  sessionSeconds?: number | undefined;
  /** For tests of something else than passwords, which would spend a tenth of their time on them. */
  passwordCost?: PasswordCost | undefined;
  limits?: Partial<typeof LIMITS> | undefined;
  /** Makes the limits of attempts; without it this process counts them. */
  limiterOf?: SharedLimits['limiter'] | undefined;
}

export interface EmbeddedProvider {
  /** `iss` of its tokens and base of its Frontend API. */
  readonly issuer: string;
  jwks(): Promise<{ keys: JWK[] }>;
  /** The key that a token of this provider names, cached in this process. */
  readonly verificationKey: JWTVerifyGetKey;
  /** A new key signs from now on; tokens of the old one stay valid. Returns the new key's id. */
  rotateKey(): Promise<string>;
  addRoutes(app: HttpApp): Promise<void>;
  /** Starts delivering the outbox; the provider wakes it after each change. */
  startWebhookDelivery(options: Omit<DeliveryOptions, 'sql'>): WebhookDelivery;
}

/** The identity provider that comes along: speaks the hosted one's wire, keeps its state in the schema `idp`. */
export function createEmbeddedProvider(options: EmbeddedProviderOptions): EmbeddedProvider {
  const base = new URL(options.baseUrl);
  const issuer = `${base.origin}${BASE_PATH}`;
  const limits = { ...LIMITS, ...options.limits };
  const { limiterOf = createRateLimiter } = options;
  const limiter = (name: string, limit: number, windowMs = 10_000) => limiterOf({ name, limit, windowMs });
  const deliveries = new Set<WebhookDelivery>();
  const context: ProviderContext = {
    sql: options.sql,
    keys: createKeyRing(options.sql),
    issuer,
    secretKey: options.secretKey,
    origins: allowedOrigins(options.baseUrl),
    homeOrigin: base.origin,
    secureCookie: base.protocol === 'https:',
    accounts: options.accounts,
    sessionSeconds: options.sessionSeconds ?? SESSION_SECONDS,
    passwordCost: options.passwordCost,
    limits: {
      signIn: limiter('sign-in', limits.signInPerPerson),
      signInAddress: limiter('sign-in-address', limits.signInPerAddress),
      signUpAddress: limiter('sign-up-address', limits.signUpPerAddress),
      failures: limiter('sign-in-failures', limits.failuresPerHour, 3_600_000),
    },
    wake: () => deliveries.forEach((delivery) => delivery.wake()),
  };
  return {
    issuer,
    jwks: context.keys.jwks,
    verificationKey: context.keys.verificationKey,
    rotateKey: context.keys.rotate,
    addRoutes: (app) => addProviderRoutes(app, context),
    startWebhookDelivery(delivery) {
      const started = startWebhookDelivery({ ...delivery, sql: options.sql });
      deliveries.add(started);
      return {
        wake: started.wake,
        async stop() {
          deliveries.delete(started);
          await started.stop();
        },
      };
    },
  };
}
