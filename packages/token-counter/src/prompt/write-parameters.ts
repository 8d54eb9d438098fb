import type { Generation } from '../models/model-row.ts';
import type { CountTokensRequest } from '../request-types.ts';
import type { Context } from './context.ts';
import { digitTokens } from './digit-tokens.ts';
import { FITTED } from './fitted.ts';

/**
 * Manual extended thinking, whatever its budget: a section of its own behind tools, system text and schema
 * (130 of 132 recorded requests; two of 2025 have 28 on 4.1 and 4.5; 3.7 twice 28).
 */
export const THINKING_ENABLED: Record<Generation, number> = {
  '3': 28,
  '4': 29,
  '4.5': 29,
  '4.6': 28,
  '4.7': 28,
  '5': 28,
};

/** Charges for the parameters that write instructions into the prompt. */
export function writeParameters(context: Context, request: CountTokensRequest): void {
  const { prompt, model } = context;
  if (request.thinking?.type === 'enabled') {
    prompt.charge(THINKING_ENABLED[model.generation] + (context.breakOwed ? 1 : 0), 'thinking', 'thinking');
  }
  const forced = request.tool_choice?.type === 'any' || request.tool_choice?.type === 'tool';
  if (request.thinking?.type === 'adaptive' && model.id === 'claude-opus-4-6' && !forced)
    prompt.charge(FITTED.adaptiveOpus46, 'thinking', 'thinking', false);
  const budget = request.output_config?.task_budget;
  if (budget != null) {
    const tokens = FITTED.taskBudget + digitTokens(budget.remaining ?? budget.total);
    prompt.charge(tokens, 'frame', 'output_config.task_budget', false);
  }
}
