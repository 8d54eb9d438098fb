import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Signer } from './sign-webhook.ts';

/** Where the embedded bank's API and pages hang. */
export const BANK_PATH = '/_bank';

/** What every part of the embedded bank works with. */
export interface BankContext {
  sql: ServiceSql;
  /** What `PLAID-SECRET` must be. */
  secret: string;
  now: () => Date;
  wait: (milliseconds: number) => Promise<unknown>;
  signer: Signer;
  /** The public token that a page's success brings; nobody stores it. */
  getPublicToken(linkToken: string): string;
  /** Tells the webhook delivery that a message waits. */
  wake(): void;
}
