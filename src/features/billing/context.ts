import type { Logger } from 'pino';
import type { Analytics } from '../../platform/analytics/analytics.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Payments } from './payments/payments.ts';

/** Dependencies of sales. */
export interface BillingContext {
  sql: ServiceSql;
  logger: Logger;
  payments: Payments;
  /** Captures events in the transaction of the change that they report. */
  captureInTransaction: Analytics['captureInTransaction'];
  /** True if the visitor's browser declined analytics. Always false in jobs and webhooks. */
  hasDeclinedAnalytics: boolean;
}

/** Thrown if the payment provider is unreachable or rejects a call that should succeed. A job retries. */
export class PaymentProviderUnavailable extends Error {
  override readonly name = 'PaymentProviderUnavailable';
}
