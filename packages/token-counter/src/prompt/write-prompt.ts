import type { ModelRow, TextFamilyName } from '../models/model-row.ts';
import { resolveModel } from '../models/resolve-model.ts';
import type { CountOptions, CountTokensRequest, Message } from '../request-types.ts';
import { countConcatenated, countContent } from '../tokenizer/index.ts';
import { writeCitationInstructions } from './citations.ts';
import { createContext } from './context.ts';
import type { FittedRules } from './fitted.ts';
import { mergeTurns } from './merge-turns.ts';
import { Prompt } from './prompt.ts';
import { writeParameters } from './write-parameters.ts';
import { writeSystem } from './write-system.ts';
import { writeForcedToolCallPrefix, writeTools } from './write-tools.ts';
import { writeTurns } from './write-turns.ts';

/** The single start token of a prompt whose role markers are text. */
const START_TOKEN_COUNT = 1;

/**
 * Returns the prompt of a request: segments of text that are counted as a whole, and additional tokens.
 * @throws RangeError for an unknown model
 */
export function writePrompt(
  request: CountTokensRequest,
  fitted: FittedRules,
  options: CountOptions = {},
  recordsBreakdown = false,
): { prompt: Prompt; model: ModelRow } {
  const model = resolveModel(request.model);
  if (model === undefined) throw new RangeError(`model: ${request.model}`);
  const prompt = new Prompt(recordsBreakdown, (text) => countSegmentTokens([text], model.text));
  const context = createContext(request, model, prompt, options, fitted);
  const hasTools = writeTools(context, request);
  writeSystem(context, request, hasTools);
  writeCitationInstructions(context);
  writeParameters(context, request);
  writeTurns(context, mergeTurns(dropCompactedMessages(request.messages), prompt));
  writeForcedToolCallPrefix(context, request);
  prompt.endSegment();
  if (context.rules.roleMarkers === 'text') prompt.addTokens(START_TOKEN_COUNT);
  return { prompt, model };
}

/** Returns the conversation from its last `compaction` block on. The real API drops all earlier messages. */
function dropCompactedMessages(messages: readonly Message[]): readonly Message[] {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (message === undefined || typeof message.content !== 'object') continue;
    const from = message.content.findLastIndex((block) => block.type === 'compaction');
    if (from >= 0) return [{ ...message, content: message.content.slice(from) }, ...messages.slice(index + 1)];
  }
  return messages;
}

/** Returns the tokens of a segment: within a prompt in the text generations, or else as the content of a turn. */
export function countSegmentTokens(parts: readonly string[], family: TextFamilyName): number {
  return family === 'v3' || family === 'v4.7' ? countConcatenated(parts, family) : countContent(parts, family);
}
