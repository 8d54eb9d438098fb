import type { AssetType } from '../../market-data/contract.ts';
import { findFormerSymbol } from '../../market-data/domain/normalize-symbol.ts';
import type { SearchHit } from '../../market-data/services/market-data-service.ts';
import type { SearchResponse } from './contract.ts';

const assetTypeGroups = [
  ['stock', 'Stocks'],
  ['etf', 'ETFs'],
  ['mutual_fund', 'Mutual funds'],
  ['bond', 'Bonds'],
] as const satisfies readonly (readonly [AssetType, string])[];

/**
 * Sorts hits, best first, into the displayed groups. If `watched` is undefined, the member is outside the rollout and
 * the key is omitted.
 */
export function groupHits(
  query: string,
  hits: readonly SearchHit[],
  { held, watched }: { held: readonly string[]; watched: readonly string[] | undefined },
): Omit<SearchResponse, 'more'> {
  const heldSet = new Set(held);
  const watchedSet = watched && new Set(watched);
  const results = hits.map((hit) => {
    const formerSymbol = findFormerSymbol(query, hit.symbol);
    return {
      ...hit,
      name: hit.name ?? hit.symbol,
      ...(watchedSet && { watched: watchedSet.has(hit.symbol) }),
      held: heldSet.has(hit.symbol),
      ...(formerSymbol !== undefined && { renamed_from: formerSymbol }),
    };
  });
  const filledGroups = assetTypeGroups.map(([type, label]) => ({
    type,
    label,
    results: results.filter(({ asset_type }) => asset_type === type),
  }));
  return { query, groups: filledGroups.filter((group) => group.results.length > 0) };
}
