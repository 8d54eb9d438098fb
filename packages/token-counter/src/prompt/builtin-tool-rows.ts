/** A tool that the provider defines (such as `bash_20250124`), with the tokens that it adds to the tool prompt. */
export interface BuiltinTool {
  /** Prefix of the tool's `type`. The first matching row is used. */
  typePrefix: string;
  /** Tokens for models up to 4.6, and for later models without a value of their own. */
  tokens: number;
  /** Tokens for models from 4.7 if they differ. */
  v47Tokens?: number;
  /** Tokens for generation 3 if they differ from generation 4. */
  generation3Tokens?: number;
  /** Tokens for generation 4 if they differ from 4.5. */
  generation4Tokens?: number;
  /** Tokens for Opus 4.8 if they differ from the 5 series. */
  opus48Tokens?: number;
}

/**
 * One row per tool. Server tools: the first sampling call, before any search or fetch. The comment is the evidence:
 * published in the provider's documentation of 2026, recorded on requests, or assumed from a related tool.
 */
export const BUILTIN_TOOLS: readonly BuiltinTool[] = [
  // Published.
  { typePrefix: 'bash_', tokens: 244, v47Tokens: 325 },
  // Published.
  { typePrefix: 'text_editor_2024', tokens: 700 },
  { typePrefix: 'text_editor_20250124', tokens: 700 },
  // Recorded: two calls of one conversation on Sonnet 4.6 (2025-07). Reported: Sonnet 4 (2025-04 and 2025-07). Published: 700.
  { typePrefix: 'text_editor_', tokens: 745, generation4Tokens: 764 },
  // Published: 4,520 with the tool prompt of Opus 5.
  { typePrefix: 'computer_toolset_', tokens: 4234 },
  // Recorded on Opus 4.6, without the digits of the display.
  { typePrefix: 'computer_20251124', tokens: 1322 },
  // Recorded on Sonnet 4, without the digits of the display.
  { typePrefix: 'computer_', tokens: 1316 },
  // Published: 6,610 with the tool prompt of Opus 5.
  { typePrefix: 'browser_toolset_', tokens: 6324 },
  // Recorded first calls of seven sources, generation 3 of three (3.5 Sonnet, 3.5 Haiku).
  { typePrefix: 'web_search_', tokens: 1710, generation3Tokens: 2355, v47Tokens: 2439, opus48Tokens: 2424 },
  // Recorded first calls of three sources.
  { typePrefix: 'web_fetch_', tokens: 525, v47Tokens: 759 },
  // Recorded: a first call on Sonnet 4.6.
  { typePrefix: 'code_execution_20250522', tokens: 424 },
  // Recorded first calls of 2025-08 and 2026, of two sources.
  { typePrefix: 'code_execution_', tokens: 1740 },
  // Recorded on Sonnet 4.5, two sources.
  { typePrefix: 'memory_', tokens: 1069 },
  // Recorded on 4.5, 4.6, Opus 4.8 and Fable 5.
  { typePrefix: 'tool_search_tool_bm25', tokens: 188, v47Tokens: 263 },
  // Recorded on 4.5 and 4.6 of two sources. Later models are assumed.
  { typePrefix: 'tool_search_tool_', tokens: 213, v47Tokens: 298 },
  // Recorded: a first call on Sonnet 5. Earlier models are assumed.
  { typePrefix: 'advisor_', tokens: 530, v47Tokens: 751 },
  // Assumed.
  { typePrefix: 'mcp_toolset', tokens: 0 },
];
