import type { ModelRow } from '../models/model-row.ts';
import type { ToolDefinition } from '../request-types.ts';
import { digitTokens } from './digit-tokens.ts';
import { FITTED } from './fitted.ts';
import { GENERATION_RULES } from './generation-rules.ts';

/** A typed tool of the provider: what it adds to the tool prompt. */
interface BuiltinTool {
  /** Prefix of the tool's `type`; the first that fits is taken. */
  type: string;
  /** Models up to 4.6, and later ones where they differ. */
  tokens: number;
  laterTokens?: number;
  /** Opus 4.8, where it differs from the 5 series. */
  opus48Tokens?: number;
  /**
   * `published`: in the provider's documentation of 2026; `recorded`: measured, n requests; `assumed`: a relative's
   * figure.
   */
  evidence: string;
}

/** Server tools: the first sampling call, before anything was searched or fetched. */
export const BUILTIN_TOOLS: readonly BuiltinTool[] = [
  { type: 'bash_', tokens: 244, laterTokens: 325, evidence: 'published' },
  { type: 'text_editor_', tokens: 700, evidence: 'published' },
  { type: 'computer_toolset_', tokens: 4234, evidence: 'published: 4,520 with the tool prompt of Opus 5' },
  { type: 'computer_20251124', tokens: 1322, evidence: 'recorded, Opus 4.6; beside the digits of the display' },
  { type: 'computer_', tokens: 1316, evidence: 'recorded, Sonnet 4; beside the digits of the display' },
  { type: 'browser_toolset_', tokens: 6324, evidence: 'published: 6,610 with the tool prompt of Opus 5' },
  {
    type: 'web_search_',
    tokens: 1710,
    laterTokens: 2439,
    opus48Tokens: 2424,
    evidence: 'recorded first calls of seven sources',
  },
  { type: 'web_fetch_', tokens: 525, laterTokens: 759, evidence: 'recorded first calls of three sources' },
  { type: 'code_execution_20250522', tokens: 424, evidence: 'recorded, a first call on Sonnet 4.6' },
  { type: 'code_execution_', tokens: 1740, evidence: 'recorded first calls of 2025-08 and 2026, of two sources' },
  { type: 'memory_', tokens: 1069, evidence: 'recorded, Sonnet 4.5, two sources' },
  { type: 'tool_search_tool_bm25', tokens: 188, laterTokens: 263, evidence: 'recorded, 4.5, 4.6, Opus 4.8, Fable 5' },
  {
    type: 'tool_search_tool_',
    tokens: 213,
    laterTokens: 298,
    evidence: 'recorded, 4.5 and 4.6 of two sources; later: assumed',
  },
  { type: 'advisor_', tokens: 530, laterTokens: 751, evidence: 'recorded, a first call on Sonnet 5; earlier: assumed' },
  { type: 'mcp_toolset', tokens: 0, evidence: 'assumed' },
];

/** Tokens of a typed tool without a schema of its own; `undefined` for a client tool. */
export function builtinToolTokens(tool: ToolDefinition, model: ModelRow): number | undefined {
  const tokens = tokensOf(tool, model);
  if (tokens === undefined) return undefined;
  // The tool's published description names them.
  const display = [tool.display_width_px, tool.display_height_px, tool.display_number].map(digitTokens);
  const numbered = tool.display_number != null ? FITTED.displayNumber : 0;
  return display.reduce((sum, each) => sum + each, tokens + numbered);
}

function tokensOf(tool: ToolDefinition, model: ModelRow): number | undefined {
  const { type } = tool;
  if (tool.input_schema !== undefined || typeof type !== 'string' || type === 'custom') return undefined;
  const known = BUILTIN_TOOLS.find((row) => type.startsWith(row.type));
  if (known === undefined) return 0;
  if (model.id === 'claude-opus-4-8' && known.opus48Tokens !== undefined) return known.opus48Tokens;
  return GENERATION_RULES[model.generation].newerCharges ? (known.laterTokens ?? known.tokens) : known.tokens;
}
