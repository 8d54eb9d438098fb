import type { StreamEvent } from '../contract.ts';
import type { AnswerReader } from './chat-api.ts';
import { parseEventStream } from './parse-event-stream.ts';

export interface StreamRequest {
  text: string;
  symbol: string | null;
  conversation: string | null;
  /** The answer that this one replaces. */
  retryOf: string | null;
  onStart: () => void;
}

/** Timeout in ms of a silent stream. The service sends at least a comment every 15 s. */
const SILENCE_TIMEOUT_MS = 40_000;

/** Sends a question and dispatches the events of its answer. Returns the error that ended the stream early, if any. */
export async function streamAnswer(reader: AnswerReader, request: StreamRequest): Promise<unknown> {
  const { text, symbol, conversation, retryOf } = request;
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimer = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_TIMEOUT_MS);
  };
  restartTimer();
  try {
    const response = await reader.api.sendToApi('POST /api/assistant/messages', {
      body: {
        text,
        ...(symbol !== null && { symbol }),
        ...(conversation !== null && { conversation_id: conversation }),
        ...(retryOf !== null && { retry_of: retryOf }),
      },
      signal: AbortSignal.any([reader.signal, silence.signal]),
      streams: true,
    });
    if (response.body) await consumeStream(reader, response.body, { onStart: request.onStart, onData: restartTimer });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    clearTimeout(timer);
  }
}

/** Interval in ms between renders. A render for each chunk would overload the page. */
const RENDER_INTERVAL_MS = 50;

/** Dispatches the events of a stream until its last one. Text is collected between renders. */
async function consumeStream(
  { dispatch, signal }: AnswerReader,
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onStart, onData }: { onStart: () => void; onData: () => void },
): Promise<void> {
  let text = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (text !== '' && !signal.aborted) dispatch({ type: 'streamed', event: { type: 'text', text } });
    text = '';
  };
  try {
    for await (const { data } of parseEventStream(body, onData)) {
      const event = JSON.parse(data) as StreamEvent;
      if (event.type === 'text') {
        text += event.text;
        timer ??= setTimeout(flush, RENDER_INTERVAL_MS);
        continue;
      }
      flush();
      if (signal.aborted) return;
      dispatch({ type: 'streamed', event });
      if (event.type === 'start') onStart();
      if (event.type === 'done' || event.type === 'error') return;
    }
  } finally {
    flush();
  }
}
