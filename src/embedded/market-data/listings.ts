import { issuerLogo, registryLogo } from '../../market-data/domain/logos.ts';
import type { AssetType, Listing } from '../../market-data/domain/market-data-provider.ts';
import { isinOf } from '../../market-data/domain/bond-identifier.ts';
import { bondListings } from './bond-listings.ts';
import { etfListings, mutualFundListings } from './fund-listings.ts';
import { fundAssets, isins } from './listing-facts.ts';
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

interface Line {
  listing: Listing;
  typical: { price: number; shares: number | undefined } | undefined;
}

function parse(assetType: AssetType, table: string): Line[] {
  return table
    .trim()
    .split(/^# /m)
    .slice(1)
    .flatMap((group) => {
      const [heading = '', ...lines] = group.trim().split('\n');
      const [exchange = '', currency = ''] = heading.split(', ');
      return lines.map((line) => parseLine(line, { exchange, assetType, currency }));
    });
}

/** `AAPL Apple Inc. | 230 15.1`: symbol, name, typical price and billions of shares. */
function parseLine(line: string, group: Pick<Listing, 'exchange' | 'assetType' | 'currency'>): Line {
  const [listed = '', figures] = line.split(' | ');
  const [symbol = '', ...words] = listed.split(' ');
  const [price, shares] = figures?.split(' ') ?? [];
  const name = words.length > 0 ? words.join(' ') : null;
  return {
    listing: {
      // A fund of a known issuer carries the issuer's badge instead.
      symbol,
      name,
      ...group,
      logo: issuerLogo(group.assetType, name) ? null : registryLogo(symbol),
      isin: isins.get(symbol) ?? isinOf(symbol) ?? null,
      fundAssets: fundAssets.get(symbol) ?? null,
    },
    typical:
      price === undefined ? undefined : { price: Number(price), shares: shares ? Number(shares) * 1e9 : undefined },
  };
}

const lines = [
  ...parse('stock', stockListings),
  ...parse('etf', etfListings),
  ...parse('mutual_fund', mutualFundListings),
  ...parse('bond', bondListings),
];

/** Every listing of the simulator, by symbol; currencies are as the exchanges declare them (GBp, ZAc, ILA). */
export const simulatedListings: ReadonlyMap<string, Listing> = new Map(
  lines.map(({ listing }) => [listing.symbol, listing]),
);

/** Where the walk of a well-known listing begins; `shares` of companies. By symbol. */
export const typicalPrices: ReadonlyMap<string, NonNullable<Line['typical']>> = new Map(
  lines.flatMap(({ listing, typical }) => (typical ? [[listing.symbol, typical]] : [])),
);
