import type Anthropic from '@anthropic-ai/sdk';

/** What the loop of an answer asks of a model, in the shapes of the model's API. */

export interface ModelRequest {
  system: string;
  tools: readonly Anthropic.Tool[];
  messages: readonly Anthropic.MessageParam[];
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

export interface ModelAnswer {
  /** Sent back as it stands with the results of its calls. */
  content: Anthropic.ContentBlockParam[];
  stop: Anthropic.StopReason;
  /** As the API counts, cached tokens included. */
  inputTokens: number;
  outputTokens: number;
}

/** A call that brought no whole answer. */
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
