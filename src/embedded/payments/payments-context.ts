import type { ServiceSql } from '../../platform/database/roles.ts';

/** Where the API and the pages of the embedded payments hang. */
export const PAYMENTS_PATH = '/_pay';

/** What every part of the embedded payments works with. */
export interface PaymentsContext {
  sql: ServiceSql;
  now: () => Date;
  /** What its callers must prove to have. */
  secretKey: () => Promise<string>;
  /** Tells the webhook delivery that an event waits. */
  wake(): void;
}
