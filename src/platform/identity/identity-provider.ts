import type { JWTVerifyGetKey } from 'jose';
import type { ServiceSql } from '../database/roles.ts';
import type { HttpApp } from '../http/app-type.ts';
import type { Tasks } from '../jobs/task.ts';
import type { SeededPeople } from '../../feature.ts';
import type { Member, ReservedAccounts } from './member.ts';
import type { ProviderClient } from './provider-client.ts';

/**
 * Result of a password reset: a link with which the user sets a new password. `external_provider`: another service manages the password. `no_password`: the demo
 * account and the sample user have no password.
 */
export type PasswordReset = { ok: true; link: string } | { ok: false; reason: 'external_provider' | 'no_password' };

/**
 * Result of the removal of a second factor. `external_provider`: another service manages it. `no_second_factor`: the
 * user has none.
 */
export type SecondFactorReset = 'done' | 'external_provider' | 'no_second_factor';

/** Who may sign up: everybody, holders of an invitation, or nobody. */
export type SignUpMode = 'open' | 'invite' | 'closed';

/** An invitation to sign up. `email` is the only address that may use it, or null for any. */
export interface Invitation {
  id: string;
  email: string | null;
  status: 'pending' | 'accepted' | 'revoked' | 'expired';
  createdAt: Date;
  expiresAt: Date;
}

/** Invitations of the operator. */
export interface Invitations {
  /** Creates an invitation. Only this response contains its link. */
  create(email: string | null): Promise<Invitation & { link: string }>;
  /** Returns the invitations of the last 30 days, newest first. */
  list(): Promise<Invitation[]>;
  /** Revokes a pending invitation. Returns the status of another one, or undefined if there is none. */
  revoke(id: string): Promise<Invitation['status'] | undefined>;
}

/** The identity provider, hosted or embedded, as the service uses it. */
export interface IdentityProvider {
  /** `iss` of its session tokens. */
  readonly issuer: string;
  /** Returns the public key that a session token names. */
  readonly verificationKey: JWTVerifyGetKey;
  /** URL of the API for sign-up and sign-in in the web app, or a path of this service. */
  readonly frontendApiUrl: string;
  /** Origin of `frontendApiUrl` if it differs from our own. */
  readonly connectTo: string | undefined;
  /** Client of its Backend API. */
  readonly client: ProviderClient;
  /** The accounts with special rules: those of the settings, else those that `seedPeople` created. */
  readonly accounts: ReservedAccounts;
  /** Creates the accounts of the first run. Creates none if another service manages accounts. Safe to repeat. */
  seedPeople(): Promise<SeededPeople>;
  /** Returns whether `seedPeople` created accounts and `endFirstRun` was not called. */
  hasUnfinishedFirstRun(): Promise<boolean>;
  /** Records in the database that the first run is complete. */
  endFirstRun(): Promise<void>;
  /**
   * Who gives out the link that sets a new password: the provider by mail, or the operator. Undefined if the provider's
   * own pages do.
   */
  readonly recovery: 'email' | 'operator' | undefined;
  /** Host name of the pages that offer passkeys. Undefined if `BASE_URL` does not allow them, or beside a hosted provider. */
  readonly passkeyDomain: string | undefined;
  /** Who may sign up on the pages of this service. */
  readonly signUpMode: SignUpMode;
  /** Invitations, unless another service manages them. */
  readonly invitations: Invitations | undefined;
  /** Tasks of the worker. */
  readonly tasks: Tasks | undefined;
  /** Revokes every credential of a user but the second factor, and returns a link with which the user sets a new password. */
  resetPassword(idpId: string): Promise<PasswordReset>;
  /** Removes the second factor and the passkeys of a user who has lost them, and ends every session, ticket and known browser. */
  resetSecondFactor(idpId: string): Promise<SecondFactorReset>;
  /**
   * Deletes a user with sessions and sign-in tickets. `external_provider`: another service manages the account, which
   * must be deleted there. `done` also for a user that does not exist.
   */
  deleteUser(idpId: string): Promise<'done' | 'external_provider'>;
  /**
   * Locks the credentials of a user until the transaction ends, and returns whether the session is active. A hosted
   * provider has the sessions elsewhere: nothing is locked, and the answer is `true`.
   */
  lockSession(sql: ServiceSql, session: Pick<Member, 'idpId' | 'sessionId'>): Promise<boolean>;
  /** Returns the number of active sessions of each user. A user is absent if the number is unknown. */
  countActiveSessions(idpIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Adds the routes that the provider serves within this process. */
  addRoutes(app: HttpApp): Promise<void>;
  /** Starts background work once the service listens on `localUrl`. The returned function ends it. */
  startBackground(localUrl: string): (() => Promise<void>) | undefined;
}
