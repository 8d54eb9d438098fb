import { beginRequest } from '../tokenizer/text-count-cache.ts';
import type { CountOptions, CountTokensRequest, TokenCount } from '../request-types.ts';
import { type ErrorEstimate, estimateError } from '../uncertainty.ts';
import { applyContextEdits } from './context-edits.ts';
import { FITTED_RULES, type FittedRules } from './fitted.ts';
import { countSegmentTokens, writePrompt } from './write-prompt.ts';

/**
 * Returns the input tokens of a validated request.
 * @throws RangeError for an unknown model
 */
export function countInputTokens(request: CountTokensRequest, options: CountOptions = {}): number {
  return countWithRules(request, FITTED_RULES, options);
}

/** Returns the input tokens by other fitted rules, for research. */
export function countWithRules(request: CountTokensRequest, fitted: FittedRules, options: CountOptions = {}): number {
  return count(request, fitted, options, false).input_tokens;
}

/**
 * Returns the input tokens of a validated request and the error estimate, without a breakdown.
 * @throws RangeError for an unknown model
 */
export function countWithErrorEstimate(
  request: CountTokensRequest,
  options: CountOptions = {},
): Omit<CountWithEstimate, 'breakdown'> {
  return count(request, FITTED_RULES, options, false);
}

/**
 * Returns the input tokens of a validated request and the tokens of each part. The prompt is counted as one text. A
 * part has the tokens of its own text within a prompt. The `frame` part has the tokens of boundaries and role markers.
 * @throws RangeError for an unknown model
 */
export function countTokens(request: CountTokensRequest, options: CountOptions = {}): TokenCount {
  const { errorEstimate: _, ...counted } = count(request, FITTED_RULES, options, true);
  return counted;
}

type CountWithEstimate = TokenCount & { errorEstimate: ErrorEstimate };

/** Applies the context edits of the request and counts the result. */
function count(
  request: CountTokensRequest,
  fitted: FittedRules,
  options: CountOptions,
  recordsBreakdown: boolean,
): CountWithEstimate {
  if (request.context_management == null) return countWithoutEdits(request, fitted, options, recordsBreakdown);
  const countTotal = (candidate: CountTokensRequest): number =>
    countWithoutEdits(candidate, fitted, options, false).input_tokens;
  const edited = applyContextEdits(request, countTotal);
  const counted = countWithoutEdits(edited, fitted, options, recordsBreakdown);
  counted.original_input_tokens = edited === request ? counted.input_tokens : countTotal(request);
  return counted;
}

function countWithoutEdits(
  request: CountTokensRequest,
  fitted: FittedRules,
  options: CountOptions,
  recordsBreakdown: boolean,
): CountWithEstimate {
  beginRequest();
  const { prompt, model } = writePrompt(request, fitted, options, recordsBreakdown);
  const input_tokens = prompt.segments.reduce(
    (sum, segment) => sum + countSegmentTokens(segment, model.text),
    prompt.fixedTokens,
  );
  const errorEstimate = estimateError(model.generation, prompt.kinds, prompt.uncertainTokensByKind);
  return { input_tokens, breakdown: recordsBreakdown ? prompt.toBreakdown(input_tokens) : [], errorEstimate };
}
