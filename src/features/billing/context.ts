import type { Logger } from 'pino';
import type { Analytics } from '../../platform/analytics/analytics.ts';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Payments } from './payments/payments.ts';

/** What selling stands on. */
export interface BillingContext {
  sql: ServiceSql;
  logger: Logger;
  payments: Payments;
  /** Writes facts in the transaction of the change that they report. */
  captureInTransaction: Analytics['captureInTransaction'];
  /** The visitor's browser declined analytics; nobody did so in a job or a webhook. */
  hasDeclinedAnalytics: boolean;
}

/** The payment provider could not be asked, or said no to what should be possible; a job tries again. */
export class PaymentProviderUnavailable extends Error {
  override readonly name = 'PaymentProviderUnavailable';
}
