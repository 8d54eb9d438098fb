import { nextRequest } from '../text/prices-of-texts.ts';
import { Dealer, type Share } from '../text/share.ts';
import type { CountOptions, CountTokensRequest, TokenCount } from '../request-types.ts';
import { type Doubt, doubtOf } from '../uncertainty.ts';
import { applyContextEdits } from './context-edits.ts';
import { priceText, writePrompt } from './write-prompt.ts';

/**
 * Input tokens of a validated request.
 * @throws RangeError when the model is unknown
 */
export function countInputTokens(request: CountTokensRequest, options: CountOptions = {}): number {
  return count(request, options, false).input_tokens;
}

/**
 * Input tokens of a validated request with how far they may be off, without a breakdown.
 * @param share as for `countShare`; only the first share knows what is uncertain
 * @throws RangeError when the model is unknown
 */
export function countWithDoubt(
  request: CountTokensRequest,
  options: CountOptions = {},
  share?: Share,
): Omit<Counted, 'breakdown'> {
  return count(request, options, false, share && new Dealer(share));
}

/**
 * What one of several threads adds to a count: the shares 0 … `of` − 1 of the same request together are its input
 * tokens. Each thread writes the whole prompt and prices its stretches of the long texts; the first prices the rest as
 * well.
 * @throws RangeError when the model is unknown
 */
export function countShare(request: CountTokensRequest, share: Share): number {
  return count(request, {}, false, new Dealer(share)).input_tokens;
}

/**
 * Input tokens of a validated request, and what each part of it costs. The prompt is priced as one text; a part's
 * tokens are those of its own text in mid-prompt, and what the borders and role markers cost is the `frame` part.
 * @throws RangeError when the model is unknown
 */
export function countTokens(request: CountTokensRequest, options: CountOptions = {}): TokenCount {
  const { doubt: _, ...counted } = count(request, options, true);
  return counted;
}

type Counted = TokenCount & { doubt: Doubt };

/** Applies what the request asks to be edited, and counts what is left. */
function count(request: CountTokensRequest, options: CountOptions, recording: boolean, dealer?: Dealer): Counted {
  if (request.context_management == null) return countAsItStands(request, options, recording, dealer);
  const whole = (each: CountTokensRequest): number => countAsItStands(each, options, false).input_tokens;
  const edited = applyContextEdits(request, whole);
  const counted = countAsItStands(edited, options, recording, dealer);
  if (dealer === undefined) counted.original_input_tokens = edited === request ? counted.input_tokens : whole(request);
  return counted;
}

function countAsItStands(
  request: CountTokensRequest,
  options: CountOptions,
  recording: boolean,
  dealer?: Dealer,
): Counted {
  nextRequest();
  const { prompt, model } = writePrompt(request, options, recording);
  const charged = dealer === undefined || dealer.isFirst ? prompt.charged : 0;
  const input_tokens = charged + prompt.runs.reduce((sum, run) => sum + priceText(run, model.text, dealer), 0);
  const doubt = doubtOf(model.generation, prompt.kinds, prompt.uncertain);
  return { input_tokens, breakdown: recording ? prompt.breakDown(input_tokens) : [], doubt };
}
