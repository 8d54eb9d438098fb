import type { FilePosition } from './holdings-file.ts';

/**
 * Returns the positions with search texts of which each names one security: two share classes may have one name. Their
 * texts become the symbol or identifier.
 */
export function distinguishSearches(positions: readonly FilePosition[]): readonly FilePosition[] {
  const securitiesBySearch = new Map<string, Set<string>>();
  for (const { search, identifiers } of positions) {
    const securities = securitiesBySearch.get(search) ?? new Set();
    securitiesBySearch.set(search, securities.add(identifiers.join('\n')));
  }
  return positions.map((position) => {
    const { search, identifiers } = position;
    return securitiesBySearch.get(search)!.size > 1 ? { ...position, search: identifiers[0] ?? search } : position;
  });
}
