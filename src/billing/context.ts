import type { Logger } from 'pino';
import type { EventProperties } from '../analytics/contract.ts';
import type { ServiceSql } from '../database/roles.ts';
import type { Payments } from './payments/payments.ts';

/** What selling stands on. */
export interface BillingContext {
  sql: ServiceSql;
  logger: Logger;
  payments: Payments;
  capture: (idpId: string, event: string, properties: EventProperties) => void;
}

/** The payment provider could not be asked, or said no to what should be possible; a job tries again. */
export class PaymentsAway extends Error {
  override readonly name = 'PaymentsAway';
}
