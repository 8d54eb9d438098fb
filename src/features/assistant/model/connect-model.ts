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

export interface ModelSettings {
  apiKey: string;
  baseUrl: string;
  model: string;
}

type Sdk = typeof anthropic;

/** For the whole of one call. */
const CALL_MS = 60_000;
const RETRIES = 2;

/** The model behind the official SDK, which is loaded by the first question. Nothing connects before it. */
export function connectModel({ apiKey, baseUrl, model }: ModelSettings) {
  let opened: Promise<{ sdk: Sdk; client: Anthropic }> | undefined;
  const open = () =>
    (opened ??= import('@anthropic-ai/sdk').then((sdk) => ({
      sdk,
      // Everything by name: the SDK would read what is missing from the environment and from profiles on disk.
      client: new sdk.default({
        ...{ apiKey, baseURL: baseUrl, timeout: CALL_MS, maxRetries: RETRIES, logLevel: 'off' },
        openTelemetry: false,
      }),
    })));
  const bodyOf = (request: ModelRequest) => bodyFor(model, request);
  return {
    /** As the API names it. */
    id: model,
    /** The request as it goes out, for the count before it. */
    bodyOf,
    /**
     * One streamed call; text arrives through `onText` as it comes. Before the first of it the call is repeated where
     * the API is overloaded. Throws `ModelFailure`.
     */
    async stream(
      request: ModelRequest,
      { signal, onText, user }: { signal: AbortSignal; onText: (text: string) => void; user: string },
    ): Promise<ModelAnswer> {
      const { sdk, client } = await open();
      const body = { ...bodyOf(request), max_tokens: request.max_tokens, metadata: { user_id: user } };
      const stream = client.messages.stream(body, { signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]) });
      let begun = false;
      stream.on('streamEvent', () => (begun = true)).on('text', onText);
      try {
        return answerOf(await stream.finalMessage());
      } catch (error) {
        throw new ModelFailure(signal.aborted ? 'aborted' : reasonOf(sdk, error, begun), error);
      }
    },
  };
}

/** What decides the count: the model, its instructions, tools and messages. */
function bodyFor(model: string, { system, tools, messages, noTools }: ModelRequest): ModelBody {
  return {
    model,
    system,
    tools: [...tools],
    messages: [...messages],
    ...(noTools && { tool_choice: { type: 'none' as const } }),
  };
}

function answerOf(message: Anthropic.Message): ModelAnswer {
  const { usage } = message;
  return {
    content: message.content.map(blockOf),
    stop: message.stop_reason ?? 'end_turn',
    inputTokens: usage.input_tokens + (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0),
    outputTokens: usage.output_tokens,
  };
}

/** Of texts and calls what is theirs; thinking and whatever else a model writes goes back as it came. */
function blockOf(block: Anthropic.ContentBlock): Anthropic.ContentBlockParam {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    default:
      return block;
  }
}

function reasonOf(sdk: Sdk, error: unknown, begun: boolean): ModelFailure['reason'] {
  if (error instanceof sdk.APIUserAbortError || error instanceof sdk.APIConnectionError)
    return begun ? 'cut' : 'unavailable';
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
