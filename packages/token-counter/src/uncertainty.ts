import type { Generation } from './models/model-row.ts';
import { resolveModel } from './models/models.ts';
import type { PartKind, TokenCount } from './request-types.ts';
import { exactShares, uncertainShares } from '../data/uncertainty-data.ts';

/** How far a count may be from the service's. */
export interface Uncertainty {
  /** Nine requests in ten of this kind are recorded within these bounds, both included. */
  low: number;
  high: number;
  /** Places and kinds of the parts that no rule gives exactly. */
  parts: { path: string; kind: PartKind }[];
}

/** How far a count may be off, before the count is known. */
export interface ErrorEstimate {
  /** Share of the whole. */
  share: number;
  /** Tokens beside it, for parts that are no more than estimated. */
  tokens: number;
  /** Kinds of those parts. */
  kinds: PartKind[];
}

/** A kind of part of which no record exists is taken to be off by as much as half of it. */
const DEFAULT_ERROR_RATE = 0.5;

/** Kinds of estimates, those that are furthest off first: an error is put down to the first that a request has. */
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
 * The likely error of a prompt.
 * @param kinds of all its parts
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

/** The bounds that nine in ten recorded requests keep to. */
export function computeBounds(input_tokens: number, { share, tokens }: ErrorEstimate): { low: number; high: number } {
  const margin = Math.floor(input_tokens * share + tokens);
  return { low: Math.max(0, input_tokens - margin), high: input_tokens + margin };
}

/**
 * The likely error of a count, by the model's generation, what the request holds, and its estimated parts.
 * @param count what `countTokens` gave for a request to `model`
 * @throws RangeError when the model is unknown
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
