import type Anthropic from '@anthropic-ai/sdk';
import { type Model, type ModelAnswer, type ModelBody, ModelFailure, type ModelRequest } from './model.ts';

export interface ModelSettings {
  apiKey: string;
  baseUrl: string;
  model: string;
}

/** For the whole of one call. */
const CALL_MS = 60_000;
const RETRIES = 2;

/** The model behind the official SDK, which is loaded by the first question. Nothing connects before it. */
export function connectModel({ apiKey, baseUrl, model }: ModelSettings): Model {
  let opened: Promise<{ sdk: typeof import('@anthropic-ai/sdk'); client: Anthropic }> | undefined;
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
    id: model,
    bodyOf,
    async stream(request, { signal, onText, user }) {
      const { sdk, client } = await open();
      const body = { ...bodyOf(request), max_tokens: request.max_tokens, metadata: { user_id: user } };
      const stream = client.messages.stream(body, { signal: AbortSignal.any([signal, AbortSignal.timeout(CALL_MS)]) });
      let begun = false;
      stream.on('streamEvent', () => (begun = true)).on('text', onText);
      try {
        return answerOf(await stream.finalMessage());
      } catch (error) {
        throw new ModelFailure(reasonOf(sdk, error, { begun, aborted: signal.aborted }), error);
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

function reasonOf(
  sdk: typeof import('@anthropic-ai/sdk'),
  error: unknown,
  { begun, aborted }: { begun: boolean; aborted: boolean },
): ModelFailure['reason'] {
  if (aborted) return 'aborted';
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
