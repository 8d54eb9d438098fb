import type { ModelRow } from '../model-row.ts';
import type { ToolDefinition } from '../request-types.ts';
import { FITTED } from './fitted.ts';

/** A typed tool of the provider: what it adds to the tool prompt. */
interface BuiltinTool {
  /** Prefix of the tool's `type`; the first that fits is taken. */
  type: string;
  /** Models up to 4.6, and later ones where they differ. */
  tokens: number;
  laterTokens?: number;
  /** `published`: the provider's documentation of 2026; `recorded`: measured, n requests; `assumed`: a relative's
   * figure. */
  /** Opus 4.8, where it differs from the 5 series. */
  opus48Tokens?: number;
  evidence: string;
}

/** Server tools: the first sampling call, before anything was searched or fetched. */
export const BUILTIN_TOOLS: readonly BuiltinTool[] = [
  { type: 'bash_', tokens: 244, laterTokens: 325, evidence: 'published' },
  { type: 'text_editor_', tokens: 700, evidence: 'published' },
  { type: 'computer_toolset_', tokens: 4234, evidence: 'published: 4,520 with the tool prompt of Opus 5' },
  { type: 'computer_20251124', tokens: 1321, evidence: 'recorded, Opus 4.6; beside the digits of the display' },
  { type: 'computer_', tokens: 1315, evidence: 'recorded, Sonnet 4; beside the digits of the display' },
  { type: 'browser_toolset_', tokens: 6324, evidence: 'published: 6,610 with the tool prompt of Opus 5' },
  {
    type: 'web_search_',
    tokens: 1709,
    laterTokens: 2439,
    opus48Tokens: 2424,
    evidence: 'recorded first calls',
  },
  { type: 'web_fetch_', tokens: 524, laterTokens: 759, evidence: 'recorded first calls' },
  { type: 'code_execution_20250522', tokens: 423, evidence: 'recorded, 1 first call' },
  { type: 'code_execution_', tokens: 423, evidence: 'assumed' },
  { type: 'memory_', tokens: 1068, evidence: 'recorded, Sonnet 4.5' },
  { type: 'tool_search_tool_', tokens: 700, evidence: 'assumed' },
  { type: 'advisor_', tokens: 300, evidence: 'assumed' },
  { type: 'mcp_toolset', tokens: 0, evidence: 'assumed' },
];

/** Tokens of a typed tool without a schema of its own; `undefined` for a client tool. */
export function builtinToolTokens(tool: ToolDefinition, model: ModelRow): number | undefined {
  const tokens = tokensOf(tool, model);
  if (tokens === undefined) return undefined;
  const display = digits(tool.display_width_px) + digits(tool.display_height_px) + digits(tool.display_number);
  return tokens + display + (tool.display_number != null ? FITTED.displayNumber : 0);
}

/** Tokens of a number that the tool's published description names: three digits are one. */
function digits(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.ceil(String(Math.trunc(value)).length / 3) : 0;
}

function tokensOf(tool: ToolDefinition, model: ModelRow): number | undefined {
  const { type } = tool;
  if (tool.input_schema !== undefined || typeof type !== 'string' || type === 'custom') return undefined;
  const known = BUILTIN_TOOLS.find((row) => type.startsWith(row.type));
  if (known === undefined) return 0;
  if (model.id === 'claude-opus-4-8' && known.opus48Tokens !== undefined) return known.opus48Tokens;
  const later = model.generation === '4.7' || model.generation === '5';
  return later ? (known.laterTokens ?? known.tokens) : known.tokens;
}
