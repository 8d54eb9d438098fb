import { PassThrough } from 'node:stream';
import type { StreamEvent } from '../contract.ts';

const KEEP_ALIVE_MS = 15_000;

/** Server-sent events as a body. What is sent after the reader has gone is dropped. */
export function createEventStream() {
  const body = new PassThrough();
  // A reader that goes away is no fault of ours.
  body.on('error', () => {});
  const timer = setInterval(() => write(': still here\n\n'), KEEP_ALIVE_MS);
  timer.unref();
  const write = (text: string): void => {
    if (!body.destroyed && !body.writableEnded) body.write(text);
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
