import { PassThrough } from 'node:stream';
import type { StreamEvent } from '../contract.ts';

const KEEP_ALIVE_INTERVAL_MS = 15_000;
/** Maximum bytes that wait for the client. The results of one turn with eight tool calls have about 200 kB. */
export const MAX_UNREAD_BYTES = 512 * 1024;

/**
 * Creates a response body of server-sent events. Events sent after the client disconnected are dropped, and a client
 * that does not read is disconnected: the answer continues and is stored.
 */
export function createEventStream() {
  const body = new PassThrough();
  // A client that disconnects is not an error of the service.
  body.on('error', () => {});
  const timer = setInterval(() => write(': still here\n\n'), KEEP_ALIVE_INTERVAL_MS);
  timer.unref();
  const write = (text: string): void => {
    if (body.destroyed || body.writableEnded) return;
    body.write(text);
    if (body.readableLength + body.writableLength > MAX_UNREAD_BYTES) body.destroy();
  };
  body.on('close', () => clearInterval(timer));
  return {
    body,
    send(event: StreamEvent): void {
      write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      if (event.type !== 'done' && event.type !== 'error') return;
      clearInterval(timer);
      body.end();
    },
  };
}
