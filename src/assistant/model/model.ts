import type Anthropic from '@anthropic-ai/sdk';

/** What the loop of an answer asks of a model, whatever stands behind it. */

interface TextBlock {
  type: 'text';
  text: string;
}
export interface ToolUseBlock {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
}
interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content: string;
  is_error?: boolean;
}
/** Thinking and whatever else a model writes; sent back to it as it came. */
interface OpaqueBlock {
  type: 'thinking' | 'redacted_thinking' | 'other';
  block: unknown;
}

export type WrittenBlock = TextBlock | ToolUseBlock | OpaqueBlock;

export type ModelMessage =
  | { role: 'user'; content: readonly (TextBlock | ToolResultBlock)[] }
  | { role: 'assistant'; content: readonly WrittenBlock[] };

export interface ModelTool {
  name: string;
  description: string;
  /** JSON Schema of an object. */
  input_schema: { type: 'object'; [key: string]: unknown };
}

export interface ModelRequest {
  system: string;
  tools: readonly ModelTool[];
  messages: readonly ModelMessage[];
  max_tokens: number;
  /** No tool may be called any more; the model must answer. */
  noTools?: boolean;
}

/** What of a request decides its count. */
export interface ModelBody {
  model: string;
  system: string;
  tools: Anthropic.Tool[];
  messages: Anthropic.MessageParam[];
  tool_choice?: Anthropic.ToolChoiceNone;
}

type StopReason =
  | 'end_turn'
  | 'tool_use'
  | 'max_tokens'
  | 'refusal'
  | 'model_context_window_exceeded'
  | 'pause_turn'
  | 'stop_sequence';

export interface ModelAnswer {
  content: WrittenBlock[];
  stop: StopReason;
  /** As the API counts, cached tokens included. */
  inputTokens: number;
  outputTokens: number;
}

/** A call that brought no whole answer. `written`: whether text of it had arrived. */
export class ModelFailure extends Error {
  override readonly name = 'ModelFailure';
  readonly reason: 'overloaded' | 'cut' | 'refused_by_api' | 'unavailable' | 'aborted';

  constructor(reason: ModelFailure['reason'], cause?: unknown) {
    super(`the model's API: ${reason}`, { cause });
    this.reason = reason;
  }
}

export interface Model {
  /** As the API names it. */
  readonly id: string;
  /**
   * One streamed call; text arrives through `onText` as it comes. Before the first of it the call is repeated where the
   * API is overloaded. Throws `ModelFailure`.
   */
  stream(
    request: ModelRequest,
    options: { signal: AbortSignal; onText: (text: string) => void; user: string },
  ): Promise<ModelAnswer>;
  /** The request as it goes out, for the count before it. */
  bodyOf(request: ModelRequest): ModelBody;
}
