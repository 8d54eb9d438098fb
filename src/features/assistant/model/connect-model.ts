import type Anthropic from '@anthropic-ai/sdk';
import type * as anthropic from '@anthropic-ai/sdk';

/** Interface of the model for an answer, in the types of the model's API. */
export type Model = ReturnType<typeof connectModel>;

interface ModelRequest {
  system: string;
  tools: readonly Anthropic.Tool[];
  messages: readonly Anthropic.MessageParam[];
  max_tokens: number;
  /** Whether the model must answer without further tool calls. */
  noTools?: boolean;
}

/** The parts of a request that determine its token count. */
export interface ModelBody {
  model: string;
  system: string;
  tools: Anthropic.Tool[];
  messages: Anthropic.MessageParam[];
  tool_choice?: Anthropic.ToolChoiceNone;
}

export interface ModelResponse {
  /** Sent back unchanged with the results of its calls. */
  content: Anthropic.ContentBlockParam[];
  stopReason: Anthropic.StopReason;
  /** Input tokens as counted by the API, cached tokens included. */
  inputTokens: number;
  outputTokens: number;
}

/** Thrown if a call returned no complete answer. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly reason: 'overloaded' | 'cut' | 'rejected_by_api' | 'unavailable' | 'aborted';

  constructor(reason: ModelError['reason'], cause?: unknown) {
    super(`the model's API: ${reason}`, { cause });
    this.reason = reason;
  }
}

export interface ModelSettings {
  apiKey: string;
  baseUrl: string;
  model: string;
}

type Sdk = typeof anthropic;

/** Timeout of one whole call in ms. */
const CALL_TIMEOUT_MS = 60_000;
const MAX_RETRIES = 2;

/**
 * Connects to the model through the official SDK. The SDK is loaded on the first question, and nothing connects before.
 */
export function connectModel({ apiKey, baseUrl, model }: ModelSettings) {
  let clientPromise: Promise<{ sdk: Sdk; client: Anthropic }> | undefined;
  const loadClient = () => {
    clientPromise ??= import('@anthropic-ai/sdk').then((sdk) => ({
      sdk,
      // Set every option explicitly: the SDK reads missing options from the environment and from profiles on disk.
      client: new sdk.default({
        apiKey,
        baseURL: baseUrl,
        timeout: CALL_TIMEOUT_MS,
        maxRetries: MAX_RETRIES,
        logLevel: 'off',
        openTelemetry: false,
      }),
    }));
    return clientPromise;
  };
  const toBody = (request: ModelRequest) => createModelBody(model, request);
  return {
    /** Model id of the API. */
    id: model,
    /** Returns the request body, for the count before the call. */
    toBody,
    /**
     * Streams one call and passes text to `onText`. If the API is overloaded before the first text, the call is
     * repeated. Throws `ModelError`.
     */
    async stream(
      request: ModelRequest,
      { signal, onText, user }: { signal: AbortSignal; onText: (text: string) => void; user: string },
    ): Promise<ModelResponse> {
      const { sdk, client } = await loadClient();
      const body = { ...toBody(request), max_tokens: request.max_tokens, metadata: { user_id: user } };
      const stream = client.messages.stream(body, {
        signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_TIMEOUT_MS)]),
      });
      let hasStarted = false;
      stream
        .on('streamEvent', () => {
          hasStarted = true;
        })
        .on('text', onText);
      try {
        return toModelResponse(await stream.finalMessage());
      } catch (error) {
        throw new ModelError(signal.aborted ? 'aborted' : getFailureReason(sdk, error, hasStarted), error);
      }
    },
  };
}

/** Creates the parts that determine the count: the model, its instructions, tools and messages. */
function createModelBody(model: string, { system, tools, messages, noTools }: ModelRequest): ModelBody {
  return {
    model,
    system,
    tools: [...tools],
    messages: [...messages],
    ...(noTools && { tool_choice: { type: 'none' as const } }),
  };
}

function toModelResponse(message: Anthropic.Message): ModelResponse {
  const { usage } = message;
  return {
    content: message.content.map(toBlockParam),
    stopReason: message.stop_reason ?? 'end_turn',
    inputTokens: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
    outputTokens: usage.output_tokens,
  };
}

/**
 * Returns a block for the next request. Texts and calls keep only their own fields. Thinking and other blocks are
 * returned unchanged.
 */
function toBlockParam(block: Anthropic.ContentBlock): Anthropic.ContentBlockParam {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    default:
      return block;
  }
}

function getFailureReason(sdk: Sdk, error: unknown, hasStarted: boolean): ModelError['reason'] {
  if (error instanceof sdk.APIUserAbortError || error instanceof sdk.APIConnectionError)
    return hasStarted ? 'cut' : 'unavailable';
  if (error instanceof sdk.APIError) {
    // After the stream has started, the API reports overload in an event without a status.
    if (error.type === 'overloaded_error' || error.type === 'rate_limit_error') return 'overloaded';
    if (error.status === 529 || error.status === 429) return 'overloaded';
    if (error.status === undefined) return 'cut';
    return error.status >= 500 ? 'unavailable' : 'rejected_by_api';
  }
  // Covers "terminated", "stream ended without producing a Message", and tool input that is not JSON.
  return 'cut';
}
