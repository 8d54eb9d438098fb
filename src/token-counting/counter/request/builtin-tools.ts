import type { ModelRow } from '../model-row.ts';
import type { ToolDefinition } from '../request-types.ts';

/** A typed tool of the provider: what it adds to the tool prompt. */
interface BuiltinTool {
  /** Prefix of the tool's `type`; the first that fits is taken. */
  type: string;
  /** Models up to 4.6, and later ones where they differ. */
  tokens: number;
  laterTokens?: number;
  /** `published`: the provider's documentation of 2026; `recorded`: measured, n requests; `assumed`: a relative's
   * figure. */
  evidence: string;
}

/** Server tools: the first sampling call, before anything was searched or fetched. */
const BUILTIN_TOOLS: readonly BuiltinTool[] = [
  { type: 'bash_', tokens: 244, laterTokens: 325, evidence: 'published' },
  { type: 'text_editor_', tokens: 700, evidence: 'published' },
  { type: 'computer_toolset_', tokens: 4234, evidence: 'published: 4,520 with the tool prompt of Opus 5' },
  // One fixture of three tools costs 2,588 = 313 + 1 + 700 + 244 + 1,330; published: 735 and 466–499 of system prompt.
  { type: 'computer_', tokens: 1330, evidence: 'recorded, 3' },
  { type: 'browser_toolset_', tokens: 6324, evidence: 'published: 6,610 with the tool prompt of Opus 5' },
  {
    type: 'web_search_',
    tokens: 1709,
    laterTokens: 2432,
    evidence: 'recorded, 7 first calls (later: Opus 4.8 2,424, Sonnet 5 2,441)',
  },
  { type: 'web_fetch_', tokens: 524, laterTokens: 761, evidence: 'recorded, 4 first calls' },
  { type: 'code_execution_20250522', tokens: 423, evidence: 'recorded, 1 first call' },
  { type: 'code_execution_', tokens: 423, evidence: 'assumed' },
  { type: 'memory_', tokens: 700, evidence: 'assumed' },
  { type: 'tool_search_tool_', tokens: 700, evidence: 'assumed' },
  { type: 'advisor_', tokens: 300, evidence: 'assumed' },
  { type: 'mcp_toolset', tokens: 0, evidence: 'assumed' },
];

/** Tokens of a typed tool without a schema of its own; `undefined` for a client tool. */
export function builtinToolTokens(tool: ToolDefinition, model: ModelRow): number | undefined {
  const { type } = tool;
  if (tool.input_schema !== undefined || typeof type !== 'string' || type === 'custom') return undefined;
  const known = BUILTIN_TOOLS.find((row) => type.startsWith(row.type));
  if (known === undefined) return 0;
  const later = model.generation === '4.7' || model.generation === '5';
  return later ? (known.laterTokens ?? known.tokens) : known.tokens;
}
