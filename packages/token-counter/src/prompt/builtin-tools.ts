import type { ModelRow } from '../models/model-row.ts';
import type { ToolDefinition } from '../request-types.ts';
import { countDigitTokens } from './digit-tokens.ts';
import type { FittedRules } from './fitted.ts';

/** Returns the tokens of a tool that the provider defines, or `undefined` for a client tool. */
export function countBuiltinToolTokens(tool: ToolDefinition, model: ModelRow, fitted: FittedRules): number | undefined {
  const tokens = findBuiltinTokens(tool, model, fitted);
  if (tokens === undefined) return undefined;
  // The tool's published description contains these numbers.
  const displayTokens = [tool.display_width_px, tool.display_height_px, tool.display_number].map(countDigitTokens);
  const displayNumberTokens = tool.display_number != null ? fitted.overheads.displayNumber : 0;
  return displayTokens.reduce((sum, each) => sum + each, tokens + displayNumberTokens);
}

function findBuiltinTokens(tool: ToolDefinition, model: ModelRow, fitted: FittedRules): number | undefined {
  if (!isBuiltinTool(tool)) return undefined;
  const builtinTool = fitted.builtinTools.find(({ typePrefix }) => tool.type.startsWith(typePrefix));
  if (builtinTool === undefined) return 0;
  if (model.generation === '3' && builtinTool.generation3Tokens !== undefined) return builtinTool.generation3Tokens;
  if (model.generation === '4' && builtinTool.generation4Tokens !== undefined) return builtinTool.generation4Tokens;
  if (model.id === 'claude-opus-4-8' && builtinTool.opus48Tokens !== undefined) return builtinTool.opus48Tokens;
  return fitted.generations[model.generation].usesV47Overheads
    ? (builtinTool.v47Tokens ?? builtinTool.tokens)
    : builtinTool.tokens;
}

/** Returns whether a tool is defined by the provider instead of its own schema. */
export function isBuiltinTool(tool: ToolDefinition): tool is ToolDefinition & { type: string } {
  return tool.input_schema === undefined && typeof tool.type === 'string' && tool.type !== 'custom';
}
