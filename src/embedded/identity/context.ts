import type { ServiceSql } from '../../platform/database/roles.ts';
import type { FailureLimiter, RateLimiter } from '../../platform/http/rate-limit.ts';
import type { SignUpMode } from '../../platform/identity/identity-provider.ts';
import type { ReservedAccounts } from '../../platform/identity/member.ts';
import type { PasskeySite } from './passkey-site.ts';
import type { PasswordCost } from './passwords.ts';
import type { KeyRing } from './signing-keys.ts';

/** Path of both APIs of the embedded provider, and of its client cookie. */
export const BASE_PATH = '/_idp';

/** Dependencies of every part of the embedded provider. */
export interface ProviderContext {
  sql: ServiceSql;
  keys: KeyRing;
  /** Base URL of the Frontend API, `iss` of its tokens. */
  issuer: string;
  secretKey: string;
  /** Origins that may write to the Frontend API. */
  origins: ReadonlySet<string>;
  /** `azp` for a client without an origin, which is no browser. */
  homeOrigin: string;
  secureCookie: boolean;
  /** Site of passkeys. Undefined if `BASE_URL` does not allow them. */
  passkeySite: PasskeySite | undefined;
  accounts: ReservedAccounts;
  sessionSeconds: number;
  /** Cost of new password hashes. If undefined, the cost of production is used. */
  passwordCost: PasswordCost | undefined;
  limits: {
    /** Requests of a signed-in user. */
    member: RateLimiter;
    /** Attempts by account and address. */
    signIn: RateLimiter;
    /** Attempts by address. */
    signInAddress: RateLimiter;
    signInAddressDay: RateLimiter;
    signUpAddress: RateLimiter;
    signUpAddressDay: RateLimiter;
    /**
     * Changes that a user makes on a day, each of which may leave the id of a delivered event. Each kind has a count of
     * its own, so that a stolen session cannot keep the member from a new password.
     */
    changesDay: Record<'profile' | 'password' | 'secondFactor', RateLimiter>;
    /** Sessions that a user starts on a day. */
    sessionsDay: RateLimiter;
    /**
     * Wrong passwords of an account from all addresses. At the limit the account is locked until the first failure
     * leaves the window, as at the hosted provider. Unknown accounts are counted too, so that a lock does not reveal an
     * account. A browser that signed in to the account before has a count of its own.
     */
    failures: FailureLimiter;
    /** Password hashes for unknown browsers at one address. Above the limit, hashes for other addresses go first. */
    passwordHashes: RateLimiter;
    /** Codes of the second factor that were entered for an account since the last right one, in all browsers. */
    codes: FailureLimiter;
    /** Mails that one network address requests. */
    mailAddress: RateLimiter;
    /** Requests of mails to one mailbox, known or unknown. */
    mailRecipient: RateLimiter;
  };
  /** Who may sign up: everybody, holders of an invitation, or nobody. */
  signUpMode: SignUpMode;
  /** Whether the provider sends mail. Without it, links come from the operator. */
  sendsMail: boolean;
  /** Wakes the webhook delivery for a new message. */
  wake(): void;
}

/** Address and user agent of a request, stored on sessions and sent with webhooks. */
export interface Device {
  ipAddress: string | null;
  userAgent: string | null;
}

/** Used for changes without a request: the first run and operator commands. */
export const NO_DEVICE: Device = { ipAddress: null, userAgent: null };
