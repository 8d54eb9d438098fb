import { countInputTokens } from './prompt/count-request.ts';
import type { CountOptions, CountTokensRequest, Message } from './request-types.ts';

export interface FitOptions extends CountOptions {
  /** Maximum number of input tokens of the request. */
  maxTokens: number;
  /** Number of newest turns that are never dropped. The default and the minimum are 1. */
  keep?: number;
}

export interface FittedRequest<Request extends CountTokensRequest> {
  /** The request without the dropped messages. It is a copy, whose messages are those of the original. */
  request: Request;
  /** The dropped messages, oldest first. */
  dropped: Request['messages'][number][];
  /** Input tokens of the returned request. */
  input_tokens: number;
  /** Whether the returned request has at most `maxTokens`. */
  fits: boolean;
}

/** Number of guesses by estimated sizes. Later guesses halve the range, so that wrong estimates cost little. */
const MAX_ESTIMATED_GUESSES = 6;

/**
 * Drops whole turns of a conversation, oldest first and no more than necessary, until the request has at most
 * `maxTokens`. A turn is a user message without tool results and all messages up to the next one: answers, tool calls,
 * results, and system messages inside the conversation. So a call keeps its result, and the first message stays valid.
 * `system` and `tools` are never dropped. If the newest `keep` turns are too long, `fits` is false and the request has
 * only them. Takes time in proportion to the conversation. Edits of `context_management` are applied before each count.
 * @throws RangeError for an unknown model, or if `keep` is not a positive integer
 */
export function fitMessages<Request extends CountTokensRequest>(
  request: Request,
  { maxTokens, keep = 1, ...options }: FitOptions,
): FittedRequest<Request> {
  if (!Number.isInteger(keep) || keep < 1) throw new RangeError(`keep: ${keep}`);
  const messages: readonly Request['messages'][number][] = request.messages;
  const starts = findTurnStarts(messages);
  const drop = (turns: number): FittedRequest<Request> => {
    const from = starts[turns] ?? 0;
    const rest = { ...request, messages: messages.slice(from) };
    const input_tokens = countInputTokens(rest, options);
    return { request: rest, dropped: messages.slice(0, from), input_tokens, fits: input_tokens <= maxTokens };
  };

  const whole = drop(0);
  const maxDropped = Math.max(0, starts.length - keep);
  if (whole.fits || maxDropped === 0) return whole;
  let shortest = drop(maxDropped);
  if (!shortest.fits) return shortest;

  // With `tooFew` turns dropped the request is too long, and with `enough` turns it fits.
  let tooFew = 0;
  let enough = maxDropped;
  const sums = sumTurnSizes(request.model, messages, starts, options);
  let excess = { turns: 0, tokens: whole.input_tokens - maxTokens };
  for (let guesses = 0; enough - tooFew > 1; guesses++) {
    const wanted = sums[excess.turns]! + excess.tokens;
    const guess = guesses < MAX_ESTIMATED_GUESSES ? sums.findIndex((sum) => sum >= wanted) : (tooFew + enough) >> 1;
    const turns = Math.min(Math.max(guess, tooFew + 1), enough - 1);
    const fitted = drop(turns);
    excess = { turns, tokens: fitted.input_tokens - maxTokens };
    if (fitted.fits) {
      shortest = fitted;
      enough = turns;
    } else tooFew = turns;
  }
  return shortest;
}

/**
 * Returns the indexes of the messages that begin a turn. Consecutive user messages are one, and results can only be at
 * its start. The first turn begins at the first message.
 */
function findTurnStarts(messages: readonly Message[]): number[] {
  const starts = [0];
  for (let index = 1; index < messages.length; index++) {
    const { role, content = '' } = messages[index]!;
    if (role !== 'user' || messages[index - 1]!.role === 'user' || content.length === 0) continue;
    if (typeof content === 'string' || content.every(({ type }) => type !== 'tool_result')) starts.push(index);
  }
  return starts;
}

/** Returns the estimated tokens of the first turns: of none, of the first, of the first two and so on. */
function sumTurnSizes(
  model: string,
  messages: readonly Message[],
  starts: readonly number[],
  options: CountOptions,
): number[] {
  // The next user message ends the turn, so that its thinking does not count.
  const nextMessage: Message = { role: 'user', content: 'a' };
  const nextTokens = countInputTokens({ model, messages: [nextMessage] }, options);
  const sums = [0];
  for (const [turn, start] of starts.entries()) {
    const turnMessages = messages.slice(start, starts[turn + 1]);
    const tokens = countInputTokens({ model, messages: [...turnMessages, nextMessage] }, options) - nextTokens;
    sums.push(sums[turn]! + tokens);
  }
  return sums;
}
