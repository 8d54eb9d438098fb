import type { ServiceSql } from '../../platform/database/roles.ts';
import type { FailureLimiter, RateLimiter } from '../../platform/http/rate-limit.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import type { PasswordCost } from './passwords.ts';
import type { KeyRing } from './signing-keys.ts';

/** Where the embedded provider's two APIs hang, and what its client cookie is sent to. */
export const BASE_PATH = '/_idp';

/** What every part of the embedded provider works with. */
export interface ProviderContext {
  sql: ServiceSql;
  keys: KeyRing;
  /** Base URL of the Frontend API, `iss` of its tokens. */
  issuer: string;
  secretKey: string;
  /** Origins that may write to the Frontend API. */
  origins: ReadonlySet<string>;
  /** `azp` for a client that is no browser and so names no origin. */
  homeOrigin: string;
  secureCookie: boolean;
  accounts: ReservedAccounts;
  sessionSeconds: number;
  /** Of new passwords; undefined for that of production. */
  passwordCost: PasswordCost | undefined;
  limits: {
    /** Per person and address. */
    signIn: RateLimiter;
    /** Per address. */
    signInAddress: RateLimiter;
    signUpAddress: RateLimiter;
    /**
     * Wrong passwords of an account, whatever addresses they came from: as many lock it, as at the hosted provider,
     * until the first is older than the window. Unknown accounts are counted alike, so that a lock tells nothing. A
     * browser that signed in to the account before is counted by itself.
     */
    failures: FailureLimiter;
  };
  /** Tells the webhook delivery that a message waits. */
  wake(): void;
}

/** Whence a request came, as kept on sessions and sent along with webhooks. */
export interface Device {
  ipAddress: string | null;
  userAgent: string | null;
}

/** Where no request led to it: the first run, or an operator's command. */
export const NO_DEVICE: Device = { ipAddress: null, userAgent: null };
