import type { ServiceSql } from '../../platform/database/roles.ts';

/** Base path of the API and the pages of the embedded payments. */
export const PAYMENTS_PATH = '/_pay';

/** Dependencies of every part of the embedded payments. */
export interface PaymentsContext {
  sql: ServiceSql;
  now: () => Date;
  /** Secret key that callers must send. */
  secretKey: () => Promise<string>;
  /** Notifies the webhook delivery of a pending event. */
  wake(): void;
}
