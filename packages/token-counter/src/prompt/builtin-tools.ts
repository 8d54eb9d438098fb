import type { ModelRow } from '../models/model-row.ts';
import type { ToolDefinition } from '../request-types.ts';
import { digitTokens } from './digit-tokens.ts';
import type { FittedRules } from './fitted.ts';

/** Tokens of a typed tool without a schema of its own; `undefined` for a client tool. */
export function builtinToolTokens(tool: ToolDefinition, model: ModelRow, fitted: FittedRules): number | undefined {
  const tokens = tokensOf(tool, model, fitted);
  if (tokens === undefined) return undefined;
  // The tool's published description names them.
  const display = [tool.display_width_px, tool.display_height_px, tool.display_number].map(digitTokens);
  const numbered = tool.display_number != null ? fitted.overheads.displayNumber : 0;
  return display.reduce((sum, each) => sum + each, tokens + numbered);
}

function tokensOf(tool: ToolDefinition, model: ModelRow, fitted: FittedRules): number | undefined {
  const { type } = tool;
  if (tool.input_schema !== undefined || typeof type !== 'string' || type === 'custom') return undefined;
  const known = fitted.builtinTools.find((row) => type.startsWith(row.type));
  if (known === undefined) return 0;
  if (model.id === 'claude-opus-4-8' && known.opus48Tokens !== undefined) return known.opus48Tokens;
  return fitted.generations[model.generation].newerCharges ? (known.laterTokens ?? known.tokens) : known.tokens;
}
