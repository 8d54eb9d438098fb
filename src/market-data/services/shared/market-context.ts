import type { Logger } from 'pino';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { AskOnce } from '../../providers/single-flight/single-flight.ts';
import type { ProviderChain } from '../../providers/chain/provider-chain.ts';

/** What the parts of market data work with; each names what it needs of it. */
export interface MarketContext {
  sql: ServiceSql;
  providers: ProviderChain;
  logger: Pick<Logger, 'warn' | 'info'>;
  /** The clock of sessions and prices. */
  now: () => Date;
  /** Shares a question, and remembers its answer. */
  askOnce: AskOnce;
  /** Whether the simulator answers. */
  simulated: boolean;
}
