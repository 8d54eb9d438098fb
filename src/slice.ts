import type { ServiceSql } from './database/roles.ts';
import type { HttpApp } from './http/app-type.ts';
import type { Schedule, Tasks } from './jobs/task.ts';

/** The people of the first run, who are made before anything else is seeded. */
export interface SeededPeople {
  /** Without a password: its sessions come from invitations alone. */
  demoAccountIdpUserId: string;
  /** The read-only sample portfolio user. */
  sampleUserIdpUserId: string;
  members: { idp_user_id: string; email: string; password: string; tier: 'free' | 'pro' | 'max' }[];
}

/**
 * What app.ts does with a slice, and with a shared room that has something to register or to close. Each says what applies to it; what it offers
 * to others stands beside it. Its commands stand in its `cli.ts`, since the program lists them before anything is opened.
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
  /** Asks by job for what is overdue; called once the service listens, or a worker runs alone. Safe to repeat. */
  catchUp?(): Promise<void>;
  /** Begins what runs beside requests, once the service listens on `localUrl`. What it returns ends that, before HTTP closes. */
  startBackground?(localUrl: string): (() => Promise<void>) | void;
  /**
   * Deletes what a deleted member owned, inside the deletion's transaction. What has to end elsewhere (a subscription, a token at an
   * aggregator) is added here as a job that does not need the member. What stays (money, counts) loses the identifier to a random
   * pseudonym, in tables whose comment says so.
   */
  onUserDeleted?(sql: ServiceSql, idpId: string): Promise<void>;
  /** Ends what goes on, between closing HTTP and the database; slices that stand on it have closed before. */
  close?(): Promise<void>;
}
