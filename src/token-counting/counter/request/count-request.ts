import { resolveModel } from '../models.ts';
import type { CountOptions, CountTokensRequest, TokenCount } from '../request-types.ts';
import { createContext } from './context.ts';
import { mergeTurns } from './merge-turns.ts';
import { Prompt } from './prompt.ts';
import { priceText } from './price-text.ts';
import { writeParameters } from './write-parameters.ts';
import { writeSystem } from './write-system.ts';
import { writeForcedCall, writeTools } from './write-tools.ts';
import { writeTurns } from './write-turns.ts';

/** The prompt's one start token, where role markers are text. */
const START_TOKEN = 1;

/**
 * Input tokens of a validated request.
 * @throws RangeError when the model is unknown
 */
export function countInputTokens(request: CountTokensRequest, options: CountOptions = {}): number {
  return count(request, options, false).input_tokens;
}

/**
 * Input tokens of a validated request, and what each part of it costs. The prompt is priced as one text; a part's
 * tokens are those of its own text in mid-prompt, and what the borders and role markers cost is the `frame` part.
 * @throws RangeError when the model is unknown
 */
export function countTokens(request: CountTokensRequest, options: CountOptions = {}): TokenCount {
  return count(request, options, true);
}

function count(request: CountTokensRequest, options: CountOptions, recording: boolean): TokenCount {
  const model = resolveModel(request.model);
  if (model === undefined) throw new RangeError(`model: ${request.model}`);
  const price = (parts: readonly string[]): number => priceText(parts, model.text);
  const prompt = new Prompt(recording, price);
  const context = createContext(request, model, prompt, options);
  const withTools = writeTools(context, request);
  writeSystem(context, request, withTools);
  writeParameters(context, request);
  writeTurns(context, mergeTurns(request.messages, prompt));
  writeForcedCall(context, request);
  prompt.endRun();
  if (context.rules.turns === 'text') prompt.charge(START_TOKEN);
  const input_tokens = prompt.charged + prompt.runs.reduce((sum, run) => sum + price(run), 0);
  return { input_tokens, breakdown: recording ? prompt.breakDown(input_tokens) : [] };
}
