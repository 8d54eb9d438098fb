import { z } from 'zod';
import { toSeparatedClass, normalizeSymbol, findSymbolAlias } from '../../../market-data/domain/normalize-symbol.ts';
import type { Position } from '../../portfolio/holdings/contract.ts';
import type { TickerDetail } from '../../watchlist/contract.ts';
import type { ToolContext } from './tool-context.ts';

export const symbolInput = z.string().trim().min(1).max(32).describe('A ticker such as AAPL.');

/** A symbol that the member holds or watches, with the available data. */
export interface MemberSymbol {
  symbol: string;
  name: string;
  quote: Position | TickerDetail;
  position: Position | undefined;
  /** Available only for a watched symbol that the plan covers. */
  detail: TickerDetail | undefined;
}

export const formatSymbolNotFound = (symbol: string): string =>
  `${symbol.slice(0, 32)} is neither held nor among the rows of the watchlist that the plan covers.`;

/** Finds a held position by its symbol, in any spelling (brk-b, BRK.B). */
export function findPosition(positions: readonly Position[], text: string): Position | undefined {
  const symbol = normalizeSymbol(text);
  if (symbol === undefined) return undefined;
  const spellings = new Set([symbol, findSymbolAlias(symbol), toSeparatedClass(symbol)]);
  return positions.find((position) => spellings.has(position.symbol));
}

/** Finds a held or watched symbol. Returns `undefined` if the symbol is neither, or if it is locked and not held. */
export async function findMemberSymbol(context: ToolContext, text: string): Promise<MemberSymbol | undefined> {
  const [{ positions }, detail] = await Promise.all([context.getPortfolio(), context.getTickerDetail(text)]);
  const position = findPosition(positions, detail?.symbol ?? text);
  const quote = detail ?? position;
  return quote && { symbol: quote.symbol, name: quote.name ?? quote.symbol, quote, position, detail };
}
