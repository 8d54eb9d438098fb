import type { ServiceSql } from './platform/database/roles.ts';
import type { HttpApp } from './platform/http/app-type.ts';
import type { Schedule, Tasks } from './platform/jobs/task.ts';

/**
 * The reserved accounts of the first run, created before anything else is seeded. They are absent with a hosted
 * identity provider, where the service cannot create accounts.
 */
export interface SeededAccounts {
  /** The shared demo account. It has no password, because its sessions come from invitations. */
  demoAccountIdpUserId: string | undefined;
  /** The read-only sample portfolio user. */
  sampleUserIdpUserId: string | undefined;
  members: { idp_user_id: string; tier: 'free' | 'pro' | 'max' }[];
}

/** The accounts of the first run with the passwords of the members. */
export interface SeededPeople extends SeededAccounts {
  members: (SeededAccounts['members'][number] & { email: string; password: string })[];
}

/**
 * Tables with rows of a member. Each has the query of the export (`$1` is the member) and the columns left out, or the
 * reason why it is not exported.
 */
export type MemberRows = Readonly<
  Record<string, { rows: string; omittedColumns?: Readonly<Record<string, string>> } | { omitReason: string }>
>;

/**
 * A feature, or a shared folder with something to register or to close, as used by app.ts. Its commands are in its
 * `cli.ts`, because the program lists them before it opens anything.
 */
export interface Feature {
  readonly name: string;
  /** Registers its routes on the application. */
  register?(app: HttpApp): void | Promise<void>;
  /** The tasks that a worker runs for it, and their schedules. */
  readonly tasks?: Tasks;
  readonly schedules?: readonly Schedule[];
  /** Seeds its part of the first run, after the features before it in the list. Safe to repeat. */
  seed?(people: SeededPeople): Promise<void>;
  /**
   * Seeds its part that needs listings and prices, after every `seed`. Safe to repeat. Throws `AppError` UNAVAILABLE if
   * market data is unavailable, and changes nothing then.
   */
  seedFromMarket?(accounts: SeededAccounts): Promise<void>;
  /**
   * Prepares its data of the demo account, and looks up symbols that the catalog lacks. Returns the step that replaces
   * the account's rows, in one transaction with the steps of other features. Safe to repeat. Throws `AppError`
   * UNAVAILABLE if market data is unavailable.
   */
  prepareDemo?(idpId: string): Promise<(sql: ServiceSql) => Promise<void>>;
  /** Enqueues overdue jobs. Called once the service listens, or when a worker starts. Safe to repeat. */
  enqueueOverdueJobs?(): Promise<void>;
  /**
   * Starts background work once the service listens on `localUrl`. The returned function ends it before HTTP closes.
   */
  startBackground?(localUrl: string): (() => Promise<void>) | void;
  /**
   * Deletes the rows of a deleted member in the deletion's transaction. External resources (a subscription) end by a
   * job that does not need the member. Remaining rows (money, counts) get a random pseudonym instead of the id.
   */
  onUserDeleted?(sql: ServiceSql, idpId: string): Promise<void>;
  /** The rows that `tally members export` writes for the feature. */
  readonly memberRows?: MemberRows;
  /** Closes the feature after HTTP and before the database. Features that depend on it have closed before. */
  close?(): Promise<void>;
}
