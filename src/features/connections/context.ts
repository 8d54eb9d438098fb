import type { Logger } from 'pino';
import type { ServiceSql } from '../../platform/database/roles.ts';
import type { Aggregator, ProviderAccount, ProviderHolding } from './aggregator.ts';
import type { ConnectionKind, FinishedConnection } from './contract.ts';
import type { KeyRing } from './key-ring.ts';

/** Told of each connection that was made, in its transaction, under the member's lock; later ones change nothing. */
export type OnConnected = (
  sql: ServiceSql,
  idpId: string,
  connection: { kind: ConnectionKind; connectionId: string },
) => Promise<void>;

/** What investments do with the accounts and holdings of connections; handed over by app.ts. */
export interface ConnectedPortfolios {
  resolveHoldingSymbols(idpId: string, holdings: readonly ProviderHolding[]): Promise<ProviderHolding[]>;
  replaceConnectedPortfolio(
    sql: ServiceSql,
    portfolio: {
      idpId: string;
      connectionId: string;
      kind: ConnectionKind;
      accounts: readonly ProviderAccount[];
      holdings: readonly ProviderHolding[] | null;
      /** Another access than before: stored accounts of the same name and digits are the same, others are left out. */
      hasNewExternalIds?: boolean;
    },
  ): Promise<void>;
}

/** What everything about connections stands on. */
export interface ConnectionContext {
  sql: ServiceSql;
  logger: Logger;
  ring: KeyRing;
  /** One a kind at most; none of a kind that is not configured. */
  aggregators: readonly Aggregator[];
  portfolios: ConnectedPortfolios;
  onConnected: OnConnected;
}

/** What became of an attempt. `pending`: the aggregator does not know yet, or somebody else is finishing it. */
export interface FinishedAttempt extends Omit<FinishedConnection, 'connection'> {
  connectionId?: string | undefined;
}

export const PENDING: FinishedAttempt = { status: 'pending' };

/** The aggregator of stored rows; `undefined` where its keys were taken away. */
export const findAggregator = ({ aggregators }: ConnectionContext, provider: string): Aggregator | undefined =>
  aggregators.find((aggregator) => aggregator.provider === provider);
