/**
 * Types of a countable request. Fields that do not change the count are optional and loosely typed. So the stable and
 * beta count parameters of the official SDK are assignable (see request-types.test.ts).
 */

/** Body of a count request: the fields of a Messages request except for sampling parameters. */
export interface CountTokensRequest {
  model: string;
  messages: readonly Message[];
  system?: string | readonly TextBlock[] | null;
  tools?: readonly ToolDefinition[] | null;
  tool_choice?: ToolChoice | null;
  thinking?: { type?: string; budget_tokens?: number } | null;
  output_config?: { format?: JsonOutputFormat | null; effort?: string | null; task_budget?: TaskBudget | null } | null;
  /** Older field for `output_config.format`. */
  output_format?: JsonOutputFormat | null;
  /** Its edits are applied before the count. */
  context_management?: { edits?: readonly object[] | null } | null;
  /** Accepted, without effect on the count. */
  cache_control?: unknown;
  speed?: unknown;
  mcp_servers?: unknown;
}

/**
 * A message of a conversation. System messages in mid-conversation are turns of their own.
 * `clear_at: 'next_user_message'` hides a system message when a later user message exists.
 */
export type Message =
  | { role: 'user' | 'assistant'; content: string | readonly ContentBlock[] }
  | {
      role: 'system';
      content?: string | readonly ContentBlock[];
      clear_at?: 'next_user_message' | 'never' | null;
      output_config?: { effort?: string | null } | null;
    };

export type ContentBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | { type: 'server_tool_use'; id: string; name: string; input: unknown }
  | ServerToolResultBlock
  | BetaBlock;

export interface TextBlock {
  type: 'text';
  text: string;
  citations?: readonly unknown[] | null;
  cache_control?: unknown;
}

export interface ImageBlock {
  type: 'image';
  source: ImageSource;
  transformations?: { oversized_image?: 'downsize' | 'error' } | null;
  cache_control?: unknown;
}

export type ImageSource =
  | { type: 'base64'; data: string; media_type: string }
  | { type: 'url'; url: string }
  | { type: 'file'; file_id: string };

export interface DocumentBlock {
  type: 'document';
  source: DocumentSource;
  title?: string | null;
  context?: string | null;
  citations?: { enabled?: boolean } | null;
  cache_control?: unknown;
}

export type DocumentSource =
  | { type: 'base64'; data: string; media_type: string }
  | { type: 'text'; data: string; media_type: string }
  | { type: 'content'; content: string | readonly (TextBlock | ImageBlock)[] }
  | { type: 'url'; url: string }
  | { type: 'file'; file_id: string };

export interface SearchResultBlock {
  type: 'search_result';
  content: readonly TextBlock[];
  source: string;
  title: string;
  citations?: { enabled?: boolean } | null;
  cache_control?: unknown;
}

export interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  signature: string;
}

export interface RedactedThinkingBlock {
  type: 'redacted_thinking';
  data: string;
}

export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
  cache_control?: unknown;
}

export interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content?: string | readonly ToolResultContent[] | null;
  is_error?: boolean | null;
  cache_control?: unknown;
}

export type ToolResultContent =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | { type: 'tool_reference'; tool_name: string }
  | { type: 'browser_state' };

/** Results of server tools. */
export interface ServerToolResultBlock {
  type:
    | 'web_search_tool_result'
    | 'web_fetch_tool_result'
    | 'code_execution_tool_result'
    | 'bash_code_execution_tool_result'
    | 'text_editor_code_execution_tool_result'
    | 'tool_search_tool_result'
    | 'advisor_tool_result';
  tool_use_id: string;
  content: unknown;
}

/** Block types of the beta API, which are counted by their text. */
interface BetaBlock {
  type:
    | 'mcp_tool_use'
    | 'mcp_tool_result'
    | 'container_upload'
    | 'compaction'
    | 'tool_addition'
    | 'tool_removal'
    | 'mcp_tool_listing'
    | 'fallback';
}

/** A client tool (`input_schema`), or a typed tool of the provider (`type`, no schema). */
export interface ToolDefinition {
  name?: string | null;
  type?: string | null;
  description?: string | null;
  input_schema?: unknown;
  defer_loading?: boolean | null;
  input_examples?: readonly unknown[] | null;
  /** Display size of a computer tool. */
  display_width_px?: number | null;
  display_height_px?: number | null;
  display_number?: number | null;
  cache_control?: unknown;
}

export type ToolChoice =
  | { type: 'auto' | 'any'; disable_parallel_tool_use?: boolean | null }
  | { type: 'tool'; name: string; disable_parallel_tool_use?: boolean | null }
  | { type: 'none' };

interface TaskBudget {
  total?: number;
  remaining?: number | null;
}

interface JsonOutputFormat {
  type: string;
  schema?: unknown;
}

/** Facts of a parsed PDF: one entry per page, sizes in points (1/72 inch) as displayed. */
export interface PdfFacts {
  pages: readonly { width: number; height: number; text: string }[];
}

/** Size in pixels as stored in the file, without rotation flags. */
export interface ImageSize {
  width: number;
  height: number;
}

/** Facts that the request does not contain. */
export interface CountOptions {
  /** Returns page sizes and texts of a PDF. If `undefined`, the PDF is estimated from its bytes. */
  pdf?: (source: DocumentSource, path: string) => PdfFacts | undefined;
  /** Returns the size of an image outside the body (url, file). Base64 images are read by the counter. */
  image?: (source: ImageSource, path: string) => ImageSize | undefined;
  /**
   * Whether thinking of earlier turns counts on models that keep it (Opus 4.5, the 4.6 models and later). The
   * provider documents that they do. The default is false, as the count endpoint answers.
   */
  keepsEarlierThinking?: boolean;
  /** Values of the request's `anthropic-beta` header. Only interleaved thinking changes the count. */
  betas?: readonly string[];
}

export type PartKind =
  | 'frame'
  | 'system'
  | 'tools'
  | 'tool_choice'
  | 'output_schema'
  | 'text'
  | 'tool_use'
  | 'tool_result'
  | 'thinking'
  | 'image'
  | 'document'
  | 'search_result'
  | 'citations'
  | 'server_tool';

/** One part of the prompt. The tokens of all parts add up to `input_tokens`. */
export interface BreakdownPart {
  /** Path in the request, for example `messages.0.content.1`, or `''` for the frame. */
  path: string;
  kind: PartKind;
  tokens: number;
  /** False for an estimate (hidden thinking, PDF text, documents, media without a size). */
  exact: boolean;
}

export interface TokenCount {
  input_tokens: number;
  /** The count before the edits of `context_management`, if the request has any. */
  original_input_tokens?: number;
  breakdown: BreakdownPart[];
}
