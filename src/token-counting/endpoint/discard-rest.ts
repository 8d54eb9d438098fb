import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a client may still send behind an answer that came early, so that it gets to read it; then the connection ends. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 10_000;

/** Reads on, within bounds, what a client still sends of a body that is already answered. Closing at once would lose the answer on its way. */
export function discardRest(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || request.destroyed) return;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return;
  let left = MAX_BYTES;
  const end = (): void => void response.socket?.destroy();
  const timer = setTimeout(end, MAX_MS).unref();
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) end();
  });
  request.on('close', () => clearTimeout(timer));
}
