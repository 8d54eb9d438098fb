import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { ConnectedHolding, ConnectedPortfolio } from '../portfolio/accounts/contract.ts';
import type { Aggregator } from './aggregator.ts';
import type { ConnectionKind, FinishedConnection } from './contract.ts';
import type { KeyRing } from './key-ring.ts';

/**
 * Called for each new connection in its transaction, under the member's lock. Only the first connection of a member has
 * an effect.
 */
export type OnConnected = (
  sql: ServiceSql,
  idpId: string,
  connection: { kind: ConnectionKind; connectionId: string },
) => Promise<void>;

/** Operations of the portfolio on accounts and holdings of connections, passed by app.ts. */
export interface ConnectedPortfolios {
  resolveHoldingSymbols(idpId: string, holdings: readonly ConnectedHolding[]): Promise<ConnectedHolding[]>;
  replaceConnectedPortfolio(sql: ServiceSql, portfolio: ConnectedPortfolio): Promise<void>;
  /** Runs a change of a member's accounts and records what it adds to net worth or withdraws from it. */
  recordFlows<Result>(sql: ServiceSql, idpId: string, change: () => Promise<Result>): Promise<Result>;
}

/** Dependencies of the connections feature. */
export interface ConnectionContext {
  sql: ServiceSql;
  logger: Logger;
  ring: KeyRing;
  /** At most one aggregator per kind, none of a kind that is not configured. */
  aggregators: readonly Aggregator[];
  portfolios: ConnectedPortfolios;
  onConnected: OnConnected;
}

/** Result of an attempt. `pending`: the aggregator has no result yet, or another caller is finishing the attempt. */
export interface FinishedAttempt extends Omit<FinishedConnection, 'connection'> {
  connectionId?: string | undefined;
}

export const PENDING: FinishedAttempt = { status: 'pending' };

/** Returns the aggregator of stored rows, or `undefined` if its keys were removed from the settings. */
export const findAggregator = ({ aggregators }: ConnectionContext, provider: string): Aggregator | undefined =>
  aggregators.find((aggregator) => aggregator.provider === provider);
