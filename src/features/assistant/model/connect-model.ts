import type Anthropic from '@anthropic-ai/sdk';
import type * as anthropic from '@anthropic-ai/sdk';

/** What the loop of an answer asks of a model, in the shapes of the model's API. */
export type Model = ReturnType<typeof connectModel>;

interface ModelRequest {
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

export interface ModelResponse {
  /** Sent back as it stands with the results of its calls. */
  content: Anthropic.ContentBlockParam[];
  stopReason: Anthropic.StopReason;
  /** As the API counts, cached tokens included. */
  inputTokens: number;
  outputTokens: number;
}

/** A call that brought no whole answer. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly reason: 'overloaded' | 'cut' | 'refused_by_api' | 'unavailable' | 'aborted';

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

/** For the whole of one call. */
const CALL_TIMEOUT_MS = 60_000;
const MAX_RETRIES = 2;

/** The model behind the official SDK, which is loaded by the first question. Nothing connects before it. */
export function connectModel({ apiKey, baseUrl, model }: ModelSettings) {
  let clientPromise: Promise<{ sdk: Sdk; client: Anthropic }> | undefined;
  const loadClient = () =>
    (clientPromise ??= import('@anthropic-ai/sdk').then((sdk) => ({
      sdk,
      // Everything by name: the SDK would read what is missing from the environment and from profiles on disk.
      client: new sdk.default({
        ...{ apiKey, baseURL: baseUrl, timeout: CALL_TIMEOUT_MS, maxRetries: MAX_RETRIES, logLevel: 'off' },
        openTelemetry: false,
      }),
    })));
  const toBody = (request: ModelRequest) => createModelBody(model, request);
  return {
    /** As the API names it. */
    id: model,
    /** The request as it goes out, for the count before it. */
    toBody,
    /**
     * One streamed call; text arrives through `onText` as it comes. Before the first of it the call is repeated where
     * the API is overloaded. Throws `ModelError`.
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
      stream.on('streamEvent', () => (hasStarted = true)).on('text', onText);
      try {
        return toModelResponse(await stream.finalMessage());
      } catch (error) {
        throw new ModelError(signal.aborted ? 'aborted' : getFailureReason(sdk, error, hasStarted), error);
      }
    },
  };
}

/** What decides the count: the model, its instructions, tools and messages. */
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

/** Of texts and calls what is theirs; thinking and whatever else a model writes goes back as it came. */
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
    // In mid-stream the API says it in an event, without a status.
    if (error.type === 'overloaded_error' || error.type === 'rate_limit_error') return 'overloaded';
    if (error.status === 529 || error.status === 429) return 'overloaded';
    if (error.status === undefined) return 'cut';
    return error.status >= 500 ? 'unavailable' : 'refused_by_api';
  }
  // "terminated", "stream ended without producing a Message", tool input that is no JSON.
  return 'cut';
}
