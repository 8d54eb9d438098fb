import type { Logger } from 'pino';
import type { ServiceSql } from '../../../platform/database/roles.ts';
import type { SingleFlight } from '../../providers/single-flight/single-flight.ts';
import type { ProviderChain } from '../../providers/chain/provider-chain.ts';

/** Shared dependencies of the parts of market data. */
export interface MarketContext {
  sql: ServiceSql;
  providers: ProviderChain;
  logger: Pick<Logger, 'warn' | 'info'>;
  /** Clock of sessions and prices. */
  now: () => Date;
  /** Makes a call once for all callers and caches its result. */
  singleFlight: SingleFlight;
  /** True if the simulator is the provider. */
  simulated: boolean;
}
