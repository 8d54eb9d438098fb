import type { CountTokensRequest } from '../request-types.ts';
import type { Context } from './context.ts';
import { countDigitTokens } from './digit-tokens.ts';

/** Adds the tokens of parameters that write instructions into the prompt. */
export function writeParameters(context: Context, request: CountTokensRequest): void {
  const { prompt, model, rules } = context;
  const { interleavedThinking, interleavedThinking46 } = context.fitted.overheads;
  const interleavedTokens = rules.interleavesBriefly ? interleavedThinking46 : interleavedThinking;
  if (request.thinking?.type === 'enabled') {
    prompt.addTokens(
      context.fitted.thinkingEnabled[model.generation] +
        (context.hasPendingLineBreak ? 1 : 0) +
        (context.hasInterleavedThinking ? interleavedTokens : 0),
      'thinking',
      'thinking',
    );
  }
  const isForced = request.tool_choice?.type === 'any' || request.tool_choice?.type === 'tool';
  if (request.thinking?.type === 'adaptive' && model.id === 'claude-opus-4-6' && !isForced)
    prompt.addTokens(context.fitted.overheads.adaptiveOpus46, 'thinking', 'thinking', false);
  const budget = request.output_config?.task_budget;
  if (budget != null) {
    const tokens = context.fitted.overheads.taskBudget + countDigitTokens(budget.remaining ?? budget.total);
    prompt.addTokens(tokens, 'frame', 'output_config.task_budget', false);
  }
}
