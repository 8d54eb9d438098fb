import type { Logger } from 'pino';
import type { ServiceSql } from '../database/roles.ts';
import type { Asking } from './providers/ask-providers.ts';

/** What the parts of market data work with; each names what it needs of it. */
export interface MarketContext {
  sql: ServiceSql;
  asking: Asking;
  logger: Pick<Logger, 'warn' | 'info'>;
  /** The clock of sessions and prices. */
  now: () => Date;
  /** Whether the simulator answers. */
  simulated: boolean;
}
