import { getIssuerLogoPath, getRegistryLogoPath } from '../../market-data/domain/logos.ts';
import type { AssetType, Listing } from '../../market-data/domain/market-data-provider.ts';
import { toIsin } from '../../market-data/domain/bond-identifier.ts';
import { bondListings } from './bond-listings.ts';
import { etfListings, mutualFundListings } from './fund-listings.ts';
import { fundAssets, isins } from './listing-details.ts';
import { stockListings } from './stock-listings.ts';

/** Edge cases that a watchlist must handle, each with its own symbol. */
export const edgeCases = {
  /** First listed this many market days before the current day of the clock. */
  newlyListed: { symbol: 'ZXZZT', marketDays: 12 },
  /** A listing without a name. */
  unnamed: 'ZVZZT',
  /** A bond with a constant price, a multiple of one eighth of a percent. */
  constantPriceBond: { symbol: '91282CJZ5', price: 98.125 },
  /** Market days until the next report of a company, independent of the date. */
  reportsIn: new Map([
    ['ORCL', { days: 0, when: 'amc' as const }],
    ['ADBE', { days: 1, when: 'bmo' as const }],
    ['COST', { days: 7, when: 'amc' as const }],
  ]),
} as const;

interface ListingEntry {
  listing: Listing;
  typicalPrice: { price: number; shares: number | undefined } | undefined;
}

function parseListings(assetType: AssetType, table: string): ListingEntry[] {
  return table
    .trim()
    .split(/^# /m)
    .slice(1)
    .flatMap((group) => {
      const [heading = '', ...groupLines] = group.trim().split('\n');
      const [exchange = '', currency = ''] = heading.split(', ');
      return groupLines.map((line) => parseLine(line, { exchange, assetType, currency }));
    });
}

/** Parses `AAPL Apple Inc. | 230 15.1`: symbol, name, typical price and billions of shares. */
function parseLine(line: string, group: Pick<Listing, 'exchange' | 'assetType' | 'currency'>): ListingEntry {
  const [identity = '', numbers] = line.split(' | ');
  const [symbol = '', ...nameWords] = identity.split(' ');
  const [price, shares] = numbers?.split(' ') ?? [];
  const name = nameWords.length > 0 ? nameWords.join(' ') : null;
  return {
    listing: {
      // A fund of a known issuer shows the badge of the issuer instead.
      symbol,
      name,
      ...group,
      logo: getIssuerLogoPath(group.assetType, name) ? null : getRegistryLogoPath(symbol),
      isin: isins.get(symbol) ?? toIsin(symbol) ?? null,
      fundAssets: fundAssets.get(symbol) ?? null,
    },
    typicalPrice:
      price === undefined ? undefined : { price: Number(price), shares: shares ? Number(shares) * 1e9 : undefined },
  };
}

const entries = [
  ...parseListings('stock', stockListings),
  ...parseListings('etf', etfListings),
  ...parseListings('mutual_fund', mutualFundListings),
  ...parseListings('bond', bondListings),
];

/** All listings of the simulator by symbol. Currencies are as the exchanges declare them (GBp, ZAc, ILA). */
export const simulatedListings: ReadonlyMap<string, Listing> = new Map(
  entries.map(({ listing }) => [listing.symbol, listing]),
);

/** Start price of the walk of a well-known listing by symbol. Companies also have `shares`. */
export const typicalPrices: ReadonlyMap<string, NonNullable<ListingEntry['typicalPrice']>> = new Map(
  entries.flatMap(({ listing, typicalPrice }) => (typicalPrice ? [[listing.symbol, typicalPrice]] : [])),
);
