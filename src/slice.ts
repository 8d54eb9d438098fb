import type { ServiceSql } from './platform/database/roles.ts';
import type { HttpApp } from './platform/http/app-type.ts';
import type { Schedule, Tasks } from './platform/jobs/task.ts';

/**
 * The accounts of the first run, which are made before anything else is seeded. None beside a hosted identity provider,
 * whose people we cannot make.
 */
export interface SeededAccounts {
  /** Without a password: its sessions come from invitations alone. */
  demoAccountIdpUserId: string | undefined;
  /** The read-only sample portfolio user. */
  sampleUserIdpUserId: string | undefined;
  members: { idp_user_id: string; tier: 'free' | 'pro' | 'max' }[];
}

/** The same with what the members sign in with. */
export interface SeededPeople extends SeededAccounts {
  members: (SeededAccounts['members'][number] & { email: string; password: string })[];
}

/**
 * Tables with rows of a member: how they are read for an export (`$1` is the member) and which columns are kept back,
 * or why none of their rows is part of it.
 */
export type MemberRows = Readonly<
  Record<string, { rows: string; omittedColumns?: Readonly<Record<string, string>> } | { omitReason: string }>
>;

/**
 * A slice, or a shared room with something to register or to close, as app.ts sees it. Its commands stand in its
 * `cli.ts`, since the program lists them before anything is opened.
 */
export interface Slice {
  readonly name: string;
  /** Hangs its routes on the application. */
  register?(app: HttpApp): void | Promise<void>;
  /** What a worker can do for it, and when the clock asks for it. */
  readonly tasks?: Tasks;
  readonly schedules?: readonly Schedule[];
  /** Its part of the first run, after those of the slices before it in the list. Safe to repeat. */
  seed?(people: SeededPeople): Promise<void>;
  /**
   * Its part of the first run that needs listings and prices, after every `seed`. Safe to repeat. Throws `Failure`
   * UNAVAILABLE where market data is away; nothing is changed then.
   */
  seedFromMarket?(accounts: SeededAccounts): Promise<void>;
  /**
   * Makes ready what it shows of the demo account (symbols that the catalog lacks are looked up here) and returns the
   * step that puts this data in the place of the account's rows, in one transaction with the others. Safe to repeat.
   * Throws `Failure` UNAVAILABLE where market data is away.
   */
  prepareDemo?(idpId: string): Promise<(sql: ServiceSql) => Promise<void>>;
  /** Asks by job for what is overdue; called once the service listens, or a worker runs alone. Safe to repeat. */
  enqueueOverdueJobs?(): Promise<void>;
  /** Begins background work once the service listens on `localUrl`; the result ends it before HTTP closes. */
  startBackground?(localUrl: string): (() => Promise<void>) | void;
  /**
   * Deletes what a deleted member owned, in the deletion's transaction. What must end elsewhere (a subscription) is
   * added as a job that does not need the member. What stays (money, counts) gets a random pseudonym for the id.
   */
  onUserDeleted?(sql: ServiceSql, idpId: string): Promise<void>;
  /** What `tally members export` writes of the slice. */
  readonly memberRows?: MemberRows;
  /** Ends what goes on, between closing HTTP and the database; slices that stand on it have closed before. */
  close?(): Promise<void>;
}
