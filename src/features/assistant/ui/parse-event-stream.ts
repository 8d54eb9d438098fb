/** One event of a `text/event-stream`. */
export interface ServerEvent {
  /** `message` where the stream names none. */
  name: string;
  data: string;
}

/** Characters of one event beyond which the stream is given up: what the service sends is a quarter of it. */
const MAX_EVENT_LENGTH = 2_000_000;

/**
 * Reads events as they arrive, by the rules of the HTML standard: comments are skipped, and an event that the stream
 * ends in is dropped. `heard` is called for each piece that comes, a comment too. Throws what the stream throws, such
 * as the reason of an abort.
 */
export async function* parseEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onChunk?: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let remainder = '';
  let event = createPendingEvent();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onChunk?.();
      remainder += value;
      // A line may end in two characters, of which the second is still to come.
      const lines = remainder.split(/\r\n|\n|\r(?!$)/);
      remainder = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (event.data.length > 0) yield { name: event.name || 'message', data: event.data.join('\n') };
          event = createPendingEvent();
        } else applyLine(event, line);
      }
      if (remainder.length + event.size > MAX_EVENT_LENGTH) throw new Error('An event of the stream has no end.');
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

interface PendingEvent {
  name: string;
  data: string[];
  size: number;
}

const createPendingEvent = (): PendingEvent => ({ name: '', data: [], size: 0 });

function applyLine(event: PendingEvent, line: string): void {
  const colon = line.indexOf(':');
  if (colon === 0) return;
  const field = colon === -1 ? line : line.slice(0, colon);
  const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
  if (field === 'event') event.name = value;
  else if (field === 'data') {
    event.data.push(value);
    event.size += value.length;
  }
}
