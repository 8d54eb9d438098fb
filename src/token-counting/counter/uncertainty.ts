import { resolveModel } from './models.ts';
import type { PartKind, TokenCount } from './request-types.ts';
import { exactShares, uncertainShares } from './uncertainty-data.ts';

/** How far a count may be from the service's. */
export interface Uncertainty {
  /** Nine requests in ten of this kind are recorded within these bounds, both included. */
  low: number;
  high: number;
  /** Places and kinds of the parts that no rule gives exactly. */
  parts: { path: string; kind: PartKind }[];
}

/** A kind of part of which no record exists is taken to be off by as much as half of it. */
const UNSEEN = 0.5;

/**
 * The likely error of a count, by the model's generation and the parts that are no more than estimated.
 * @param count what `countTokens` gave for a request to `model`
 * @throws RangeError when the model is unknown
 */
export function uncertaintyOf(count: TokenCount, model: string): Uncertainty {
  const row = resolveModel(model);
  if (row === undefined) throw new RangeError(`model: ${model}`);
  const uncertain = count.breakdown.filter((part) => !part.exact);
  const tokens = uncertain.reduce((sum, part) => sum + Math.max(0, part.tokens), 0);
  const worst = Math.max(0, ...uncertain.map(({ kind }) => uncertainShares[kind] ?? UNSEEN));
  const off = Math.floor(count.input_tokens * (exactShares[row.generation] ?? UNSEEN) + tokens * worst);
  return {
    low: Math.max(0, count.input_tokens - off),
    high: count.input_tokens + off,
    parts: uncertain.map(({ path, kind }) => ({ path, kind })),
  };
}
