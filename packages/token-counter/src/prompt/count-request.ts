import { beginRequest } from '../tokenizer/text-count-cache.ts';
import type { CountOptions, CountTokensRequest, TokenCount } from '../request-types.ts';
import { type Doubt, doubtOf } from '../uncertainty.ts';
import { applyContextEdits } from './context-edits.ts';
import { FITTED_RULES, type FittedRules } from './fitted.ts';
import { priceText, writePrompt } from './write-prompt.ts';

/**
 * Input tokens of a validated request.
 * @throws RangeError when the model is unknown
 */
export function countInputTokens(request: CountTokensRequest, options: CountOptions = {}): number {
  return countByRules(request, FITTED_RULES, options);
}

/** The same by other rules, for research. */
export function countByRules(request: CountTokensRequest, fitted: FittedRules, options: CountOptions = {}): number {
  return count(request, fitted, options, false).input_tokens;
}

/**
 * Input tokens of a validated request with how far they may be off, without a breakdown.
 * @throws RangeError when the model is unknown
 */
export function countWithDoubt(request: CountTokensRequest, options: CountOptions = {}): Omit<Counted, 'breakdown'> {
  return count(request, FITTED_RULES, options, false);
}

/**
 * Input tokens of a validated request, and what each part of it costs. The prompt is priced as one text; a part's
 * tokens are those of its own text in mid-prompt, and what the borders and role markers cost is the `frame` part.
 * @throws RangeError when the model is unknown
 */
export function countTokens(request: CountTokensRequest, options: CountOptions = {}): TokenCount {
  const { doubt: _, ...counted } = count(request, FITTED_RULES, options, true);
  return counted;
}

type Counted = TokenCount & { doubt: Doubt };

/** Applies what the request asks to be edited, and counts what is left. */
function count(request: CountTokensRequest, fitted: FittedRules, options: CountOptions, recording: boolean): Counted {
  if (request.context_management == null) return countWithoutEdits(request, fitted, options, recording);
  const whole = (each: CountTokensRequest): number => countWithoutEdits(each, fitted, options, false).input_tokens;
  const edited = applyContextEdits(request, whole);
  const counted = countWithoutEdits(edited, fitted, options, recording);
  counted.original_input_tokens = edited === request ? counted.input_tokens : whole(request);
  return counted;
}

function countWithoutEdits(
  request: CountTokensRequest,
  fitted: FittedRules,
  options: CountOptions,
  recording: boolean,
): Counted {
  beginRequest();
  const { prompt, model } = writePrompt(request, fitted, options, recording);
  const input_tokens = prompt.runs.reduce((sum, run) => sum + priceText(run, model.text), prompt.charged);
  const doubt = doubtOf(model.generation, prompt.kinds, prompt.uncertain);
  return { input_tokens, breakdown: recording ? prompt.breakDown(input_tokens) : [], doubt };
}
