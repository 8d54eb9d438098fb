import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Signer } from './sign-webhook.ts';

/** Base path of the embedded bank's API and pages. */
export const BANK_PATH = '/_bank';

/** Dependencies of every part of the embedded bank. */
export interface BankContext {
  sql: ServiceSql;
  /** Expected value of the header `PLAID-SECRET`. */
  secret: string;
  now: () => Date;
  wait: (milliseconds: number) => Promise<unknown>;
  signer: Signer;
  /** Returns the public token of a successful page. The token is derived and never stored. */
  getPublicToken(linkToken: string): string;
  /** Notifies the webhook delivery of a pending message. */
  wake(): void;
}
