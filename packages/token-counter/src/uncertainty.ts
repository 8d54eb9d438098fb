import type { Generation } from './models/model-row.ts';
import { resolveModel } from './models/resolve-model.ts';
import type { PartKind, TokenCount } from './request-types.ts';
import { exactShares, uncertainShares } from '../data/uncertainty-data.ts';

/** Bounds of the real count. */
export interface Uncertainty {
  /** Lower bound. Nine in ten recorded requests of this kind are within both bounds, inclusive. */
  low: number;
  high: number;
  /** Paths and kinds of the parts that no rule gives exactly. */
  parts: { path: string; kind: PartKind }[];
}

/** The expected error of a count, before the count is known. */
export interface ErrorEstimate {
  /** Relative error, as a share of the count. */
  share: number;
  /** Additional error in tokens, for estimated parts. */
  tokens: number;
  /** Kinds of the estimated parts. */
  kinds: PartKind[];
}

/** Assumed relative error of a kind of part without any record. */
const DEFAULT_ERROR_RATE = 0.5;

/** Estimated part kinds, least accurate first. An error is attributed to the first kind that the request contains. */
export const ESTIMATED_KINDS: readonly PartKind[] = [
  'server_tool',
  'tools',
  'citations',
  'search_result',
  'thinking',
  'document',
  'image',
];

/**
 * Returns the likely error of a prompt.
 * @param kinds the kinds of all its parts
 * @param uncertainTokensByKind tokens of the parts that no rule gives exactly
 */
export function estimateError(
  generation: Generation,
  kinds: Iterable<PartKind>,
  uncertainTokensByKind: ReadonlyMap<PartKind, number>,
): ErrorEstimate {
  const tokens = [...uncertainTokensByKind.values()].reduce((sum, each) => sum + Math.max(0, each), 0);
  const leastAccurateKind = ESTIMATED_KINDS.find((kind) => uncertainTokensByKind.has(kind));
  return {
    share: Math.max(
      exactShares[generation] ?? DEFAULT_ERROR_RATE,
      ...Array.from(kinds, (kind) => exactShares[kind] ?? 0),
    ),
    tokens: leastAccurateKind === undefined ? 0 : tokens * (uncertainShares[leastAccurateKind] ?? DEFAULT_ERROR_RATE),
    kinds: [...uncertainTokensByKind.keys()],
  };
}

/** Returns the bounds that nine in ten recorded requests meet. */
export function computeBounds(input_tokens: number, { share, tokens }: ErrorEstimate): { low: number; high: number } {
  const margin = Math.floor(input_tokens * share + tokens);
  return { low: Math.max(0, input_tokens - margin), high: input_tokens + margin };
}

/**
 * Returns the likely error of a count from the model's generation, the content of the request, and its estimated parts.
 * @param count the result of `countTokens` for a request to `model`
 * @throws RangeError for an unknown model
 */
export function estimateUncertainty(count: TokenCount, model: string): Uncertainty {
  const row = resolveModel(model);
  if (row === undefined) throw new RangeError(`model: ${model}`);
  const parts = count.breakdown.filter((part) => !part.exact);
  const kinds = count.breakdown.map(({ kind }) => kind);
  const tokensByKind = new Map<PartKind, number>();
  for (const { kind, tokens } of parts) tokensByKind.set(kind, (tokensByKind.get(kind) ?? 0) + tokens);
  return {
    ...computeBounds(count.input_tokens, estimateError(row.generation, kinds, tokensByKind)),
    parts: parts.map(({ path, kind }) => ({ path, kind })),
  };
}
