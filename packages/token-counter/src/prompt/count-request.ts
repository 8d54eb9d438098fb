import { beginRequest } from '../tokenizer/text-count-cache.ts';
import type { CountOptions, CountTokensRequest, TokenCount } from '../request-types.ts';
import { type ErrorEstimate, estimateError } from '../uncertainty.ts';
import { applyContextEdits } from './context-edits.ts';
import { FITTED_RULES, type FittedRules } from './fitted.ts';
import { countSegmentTokens, writePrompt } from './write-prompt.ts';

/**
 * Input tokens of a validated request.
 * @throws RangeError when the model is unknown
 */
export function countInputTokens(request: CountTokensRequest, options: CountOptions = {}): number {
  return countWithRules(request, FITTED_RULES, options);
}

/** The same by other rules, for research. */
export function countWithRules(request: CountTokensRequest, fitted: FittedRules, options: CountOptions = {}): number {
  return count(request, fitted, options, false).input_tokens;
}

/**
 * Input tokens of a validated request with how far they may be off, without a breakdown.
 * @throws RangeError when the model is unknown
 */
export function countWithErrorEstimate(
  request: CountTokensRequest,
  options: CountOptions = {},
): Omit<CountWithEstimate, 'breakdown'> {
  return count(request, FITTED_RULES, options, false);
}

/**
 * Input tokens of a validated request, and what each part of it costs. The prompt is priced as one text; a part's
 * tokens are those of its own text in mid-prompt, and what the borders and role markers cost is the `frame` part.
 * @throws RangeError when the model is unknown
 */
export function countTokens(request: CountTokensRequest, options: CountOptions = {}): TokenCount {
  const { errorEstimate: _, ...counted } = count(request, FITTED_RULES, options, true);
  return counted;
}

type CountWithEstimate = TokenCount & { errorEstimate: ErrorEstimate };

/** Applies what the request asks to be edited, and counts what is left. */
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
