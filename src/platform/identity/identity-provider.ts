import type { JWTVerifyGetKey } from 'jose';
import type { HttpApp } from '../http/app-type.ts';
import type { SeededPeople } from '../../slice.ts';
import type { ReservedAccounts } from './member.ts';
import type { ProviderClient } from './provider-client.ts';

/**
 * What came of a password reset. `external_provider`: another service keeps the password. `no_password`: the demo account and
 * the sample user sign in without one.
 */
export type PasswordReset = { ok: true; password: string } | { ok: false; reason: 'external_provider' | 'no_password' };

/** The identity provider, hosted or embedded, as the service uses it. */
export interface IdentityProvider {
  /** `iss` of its session tokens. */
  readonly issuer: string;
  /** Finds the public key that a session token names. */
  readonly verificationKey: JWTVerifyGetKey;
  /** Where the web app sends sign-up and sign-in: a URL, or a path of this service. */
  readonly frontendApiUrl: string;
  /** The origin of `frontendApiUrl` where it is another one than ours. */
  readonly connectTo: string | undefined;
  /** Its Backend API. */
  readonly client: ProviderClient;
  /** The accounts with special rules: those that the settings name, else those that `seedPeople` created. */
  readonly accounts: ReservedAccounts;
  /** Creates the people of the first run; nobody where another service keeps them. Safe to repeat. */
  seedPeople(): Promise<SeededPeople>;
  /** Gives a person a new random password and revokes every other credential of theirs. */
  resetPassword(idpId: string): Promise<PasswordReset>;
  /** Adds the routes that it serves itself. */
  addRoutes(app: HttpApp): Promise<void>;
  /** Begins its background work once the service listens on `localUrl`; the result ends it. */
  startBackground(localUrl: string): (() => Promise<void>) | undefined;
}
