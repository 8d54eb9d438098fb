/** One event of a `text/event-stream`. */
export interface ServerEvent {
  /** `message` if the stream gives no name. */
  name: string;
  data: string;
}

/** Maximum number of characters of one event: four times the longest event of the service. */
const MAX_EVENT_LENGTH = 2_000_000;

/**
 * Parses the events of a stream by the rules of the HTML standard. Comments are skipped, and an unfinished event at the
 * end is dropped. The callback runs for each chunk, including comments. Throws the error of the stream, such as the
 * reason of an abort.
 */
export async function* parseEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  onChunk?: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let remainder = '';
  let event = createPendingEvent();
  try {
    let chunk = await reader.read();
    while (!chunk.done) {
      onChunk?.();
      remainder += chunk.value;
      // A line break may have two characters, and the second may be in the next chunk.
      const lines = remainder.split(/\r\n|\n|\r(?!$)/);
      remainder = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (event.data.length > 0) yield { name: event.name || 'message', data: event.data.join('\n') };
          event = createPendingEvent();
        } else applyLine(event, line);
      }
      if (remainder.length + event.size > MAX_EVENT_LENGTH) throw new Error('SSE event exceeds the size limit.');
      chunk = await reader.read();
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
