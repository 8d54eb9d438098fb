import type { Logger } from 'pino';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { SingleFlight } from '../../providers/single-flight/single-flight.ts';
import type { ProviderChain } from '../../providers/chain/provider-chain.ts';

/** What the parts of market data work with; each names what it needs of it. */
export interface MarketContext {
  sql: ServiceSql;
  providers: ProviderChain;
  logger: Pick<Logger, 'warn' | 'info'>;
  /** The clock of sessions and prices. */
  now: () => Date;
  /** Makes a call once for all who want it, and caches its result. */
  singleFlight: SingleFlight;
  /** Whether the simulator answers. */
  simulated: boolean;
}
