import { registryLogo } from '../../catalog/new-ticker.ts';
import type { AssetType, Listing } from '../port.ts';
import { bondListings } from './bond-listings.ts';
import { etfListings, mutualFundListings } from './fund-listings.ts';
import { hasMark } from './simulated-marks.ts';
import { stockListings } from './stock-listings.ts';

/** Cases that a watchlist must not stumble over, each by a symbol of its own. */
export const edgeCases = {
  /** Listed this many market days before the clock's day. */
  newlyListed: { symbol: 'ZXZZT', marketDays: 12 },
  /** A listing without a name. */
  nameless: 'ZVZZT',
  /** A bond whose price never moves, in eighths of a percent. */
  steadyBond: { symbol: '91282CJZ5', price: 98.125 },
  /** Companies whose next report is this many market days away, whatever the day. */
  reportsIn: new Map([
    ['ORCL', { days: 0, when: 'amc' as const }],
    ['ADBE', { days: 1, when: 'bmo' as const }],
    ['COST', { days: 7, when: 'amc' as const }],
  ]),
} as const;

function parse(
  assetType: AssetType,
  groups: readonly { exchange: string; currency: string; lines: string }[],
): Listing[] {
  return groups.flatMap(({ exchange, currency, lines }) =>
    lines
      .trim()
      .split('\n')
      .map((line) => {
        const [symbol = '', ...name] = line.split(' ');
        return {
          symbol,
          name: name.length > 0 ? name.join(' ') : null,
          exchange,
          assetType,
          currency,
          logo: hasMark(symbol) ? registryLogo(symbol) : null,
        };
      }),
  );
}

/** Every listing of the simulator, by symbol; currencies are as the exchanges declare them (GBp, ZAc, ILA). */
export const simulatedListings: ReadonlyMap<string, Listing> = new Map(
  [
    ...parse('stock', stockListings),
    ...parse('etf', etfListings),
    ...parse('mutual_fund', mutualFundListings),
    ...parse('bond', [bondListings]),
  ].map((listing) => [listing.symbol, listing]),
);
