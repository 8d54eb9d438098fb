import type { CountTokensRequest } from '../request-types.ts';
import type { Context } from './context.ts';
import { digitTokens } from './digit-tokens.ts';

/** Charges for the parameters that write instructions into the prompt. */
export function writeParameters(context: Context, request: CountTokensRequest): void {
  const { prompt, model } = context;
  if (request.thinking?.type === 'enabled') {
    prompt.charge(
      context.fitted.thinkingEnabled[model.generation] + (context.breakOwed ? 1 : 0),
      'thinking',
      'thinking',
    );
  }
  const forced = request.tool_choice?.type === 'any' || request.tool_choice?.type === 'tool';
  if (request.thinking?.type === 'adaptive' && model.id === 'claude-opus-4-6' && !forced)
    prompt.charge(context.fitted.overheads.adaptiveOpus46, 'thinking', 'thinking', false);
  const budget = request.output_config?.task_budget;
  if (budget != null) {
    const tokens = context.fitted.overheads.taskBudget + digitTokens(budget.remaining ?? budget.total);
    prompt.charge(tokens, 'frame', 'output_config.task_budget', false);
  }
}
