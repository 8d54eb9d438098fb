/** What a listing is found by. */
interface Named {
  symbol: string;
  name: string | null;
}

/** Listings for a query, best first: the symbol, its beginning, a word of the name, any part of the name. */
export function matchListings<T extends Named>(listings: readonly T[], query: string, limit: number): T[] {
  const wanted = query.trim().toLowerCase();
  if (wanted === '') return [];
  return listings
    .map((listing) => ({ listing, rank: rankOf(listing, wanted) }))
    .filter(({ rank }) => rank < 4)
    .sort((a, b) => a.rank - b.rank || (a.listing.symbol < b.listing.symbol ? -1 : 1))
    .slice(0, limit)
    .map(({ listing }) => listing);
}

function rankOf({ symbol, name }: Named, wanted: string): number {
  const lower = symbol.toLowerCase();
  if (lower === wanted) return 0;
  if (lower.startsWith(wanted)) return 1;
  const words = ` ${(name ?? '').toLowerCase()}`;
  return words.includes(` ${wanted}`) ? 2 : words.includes(wanted) ? 3 : 4;
}
