import type { ServiceSql } from '../../platform/database/roles.ts';

/** Where the stand-in's wire and pages hang. */
export const SANDBOX_PAY_PATH = '/_pay';

/** What every part of the stand-in works with. */
export interface PayContext {
  sql: ServiceSql;
  now: () => Date;
  /** What its callers must prove to have. */
  secretKey: () => Promise<string>;
  /** Tells the webhook delivery that an event waits. */
  wake(): void;
}
