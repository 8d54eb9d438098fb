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
export interface Doubt {
  /** Share of the whole. */
  share: number;
  /** Tokens beside it, for parts that are no more than estimated. */
  tokens: number;
  /** Kinds of those parts. */
  kinds: PartKind[];
}

/** A kind of part of which no record exists is taken to be off by as much as half of it. */
const UNSEEN = 0.5;

/** Kinds of estimates, those that are furthest off first: an error is put down to the first that a request has. */
export const ESTIMATES: readonly PartKind[] = [
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
 * @param uncertain tokens of the parts that no rule gives exactly
 */
export function doubtOf(
  generation: Generation,
  kinds: Iterable<PartKind>,
  uncertain: ReadonlyMap<PartKind, number>,
): Doubt {
  const tokens = [...uncertain.values()].reduce((sum, each) => sum + Math.max(0, each), 0);
  const worst = ESTIMATES.find((kind) => uncertain.has(kind));
  return {
    share: Math.max(exactShares[generation] ?? UNSEEN, ...Array.from(kinds, (kind) => exactShares[kind] ?? 0)),
    tokens: worst === undefined ? 0 : tokens * (uncertainShares[worst] ?? UNSEEN),
    kinds: [...uncertain.keys()],
  };
}

/** The bounds that nine in ten recorded requests keep to. */
export function boundsOf(input_tokens: number, { share, tokens }: Doubt): { low: number; high: number } {
  const off = Math.floor(input_tokens * share + tokens);
  return { low: Math.max(0, input_tokens - off), high: input_tokens + off };
}

/**
 * The likely error of a count, by the model's generation, what the request holds, and its estimated parts.
 * @param count what `countTokens` gave for a request to `model`
 * @throws RangeError when the model is unknown
 */
export function uncertaintyOf(count: TokenCount, model: string): Uncertainty {
  const row = resolveModel(model);
  if (row === undefined) throw new RangeError(`model: ${model}`);
  const parts = count.breakdown.filter((part) => !part.exact);
  const kinds = count.breakdown.map(({ kind }) => kind);
  const byKind = new Map<PartKind, number>();
  for (const { kind, tokens } of parts) byKind.set(kind, (byKind.get(kind) ?? 0) + tokens);
  return {
    ...boundsOf(count.input_tokens, doubtOf(row.generation, kinds, byKind)),
    parts: parts.map(({ path, kind }) => ({ path, kind })),
  };
}
