/** One event of a `text/event-stream`. */
export interface ServerEvent {
  /** `message` where the stream names none. */
  name: string;
  data: string;
}

/** Characters of one event beyond which the stream is given up: what the service sends is a quarter of it. */
const MOST = 2_000_000;

/**
 * Reads events as they arrive, by the rules of the HTML standard: comments are skipped, and an event that the stream
 * ends in is dropped. `heard` is called for each piece that comes, a comment too. Throws what the stream throws, such
 * as the reason of an abort.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  heard?: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let event = begin();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard?.();
      rest += value;
      // A line may end in two characters, of which the second is still to come.
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line === '') {
          if (event.data.length > 0) yield { name: event.name || 'message', data: event.data.join('\n') };
          event = begin();
        } else takeLine(event, line);
      }
      if (rest.length + event.size > MOST) throw new Error('An event of the stream has no end.');
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

interface Pending {
  name: string;
  data: string[];
  size: number;
}

const begin = (): Pending => ({ name: '', data: [], size: 0 });

function takeLine(event: Pending, line: string): void {
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
