import type { MemberSql } from '../database/roles.ts';
import { readSymbol } from '../market-data/catalog-spelling.ts';
import type { MarketDataRoom } from '../market-data/market-data.ts';
import { findAccount } from './account-queries.ts';
import { HOLDING_LIMIT } from './contract.ts';
import type { HoldingRow } from './queries.ts';
import { insertHolding } from './queries.ts';

export interface NewInvestment {
  idpId: string;
  accountId: string;
  symbol: string;
  quantity: number;
  costBasis: number | null;
}

export type AddedInvestment =
  | { ok: true; row: HoldingRow }
  | { ok: false; reason: 'no_account' | 'limit_reached' | 'unknown' | 'unsupported' | 'unavailable' };

/**
 * Add Investment: the account must be the member's own, then the symbol is registered in the shared catalog, then the holding is written.
 * The account comes first, so that nobody makes us ask a provider in the name of an account that is not theirs.
 */
export async function addInvestment(sql: MemberSql, market: Pick<MarketDataRoom, 'registerSymbol'>, wanted: NewInvestment): Promise<AddedInvestment> {
  if (!(await findAccount(sql, wanted.accountId))) return { ok: false, reason: 'no_account' };
  const symbol = await readSymbol(sql, wanted.symbol);
  if (symbol === undefined) return { ok: false, reason: 'unknown' };
  const registered = await market.registerSymbol(symbol);
  if (!registered.ok) return registered;
  return insertHolding(sql, { ...wanted, symbol: registered.ticker.symbol, most: HOLDING_LIMIT });
}
