import {
  type CountTokensRequest,
  describeModel,
  estimateCost,
  remaining,
  type TokenCount,
} from '../../../../packages/token-counter/src/index.ts';

/** Use of the context window and cost of a request. Null if nothing is published about the model. */
export interface RequestUse {
  context_window: number | null;
  /** Share of the context window that the input takes, in percent. */
  share_percent: number | null;
  /** Tokens that are left for the answer. */
  remaining_tokens: number | null;
  /** Cost of the input with an empty cache, in US dollars. */
  cost_usd: number | null;
  /** Cost if all up to the last cache breakpoint is read from the cache, or the whole input if there is none. */
  cached_cost_usd: number | null;
}

/** Returns the use of a request of a known model. */
export function measureUse(request: CountTokensRequest, count: TokenCount): RequestUse {
  const { contextWindow } = describeModel(request.model)!;
  return {
    context_window: contextWindow,
    share_percent: contextWindow === null ? null : (count.input_tokens / contextWindow) * 100,
    remaining_tokens: remaining(request, { count }),
    cost_usd: estimateCost(request, { count }),
    cached_cost_usd: estimateCost(request, { count, cached: true }),
  };
}

/** Returns a line with the share of the context window and a line with the cost. */
export function formatUse({ context_window, share_percent, cost_usd, cached_cost_usd }: RequestUse): string {
  const share =
    share_percent === null
      ? 'the context window is not published'
      : `${formatDigits(share_percent)} % of the context window of ${context_window} tokens`;
  const cached = cached_cost_usd === null ? '' : `, $${formatDigits(cached_cost_usd)} from the cache`;
  const cost = cost_usd === null ? 'the price is not published' : `$${formatDigits(cost_usd)} for the input${cached}`;
  return `${share}\n${cost}\n`;
}

/** Formats a number with three significant digits and without an exponent: `0.0000305`. */
export const formatDigits = (value: number): string =>
  value.toLocaleString('en-US', { maximumSignificantDigits: 3, useGrouping: false });
