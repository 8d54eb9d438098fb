import type { AssetType } from '../../market-data/contract.ts';
import { renamedFrom } from '../../market-data/domain/normalise-symbol.ts';
import type { Hit } from '../../market-data/services/market-data-service.ts';
import type { SearchResponse } from './contract.ts';

const groups = [
  ['stock', 'Stocks'],
  ['etf', 'ETFs'],
  ['mutual_fund', 'Mutual funds'],
  ['bond', 'Bonds'],
] as const satisfies readonly (readonly [AssetType, string])[];

/**
 * Puts hits, best first, into the groups that are shown. `watched` undefined: outside the rollout, and the key is left
 * out.
 */
export function groupHits(
  query: string,
  hits: readonly Hit[],
  { held, watched }: { held: readonly string[]; watched: readonly string[] | undefined },
): Omit<SearchResponse, 'more'> {
  const [isHeld, isWatched] = [new Set(held), watched && new Set(watched)];
  const results = hits.map((hit) => {
    const former = renamedFrom(query, hit.symbol);
    return {
      ...hit,
      name: hit.name ?? hit.symbol,
      ...(isWatched && { watched: isWatched.has(hit.symbol) }),
      held: isHeld.has(hit.symbol),
      ...(former !== undefined && { renamed_from: former }),
    };
  });
  const filled = groups.map(([type, label]) => ({
    type,
    label,
    results: results.filter(({ asset_type }) => asset_type === type),
  }));
  return { query, groups: filled.filter((group) => group.results.length > 0) };
}
