import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** What a client may still send behind an early answer; closing at once could lose it that answer. */
const UNREAD_BODY_LIMITS = { bytes: 64 * 1024 * 1024, milliseconds: 10_000 };

/** Whether a request's head announces a body of at least one byte. */
export function hasBody({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Discards what still arrives of the body of a request that is answered, and ends the connection after 64 MB of it or
 * 10 seconds. Node itself would read on without a bound.
 */
export function limitUnreadBody(request: IncomingMessage, { bytes, milliseconds } = UNREAD_BODY_LIMITS): void {
  if (request.complete || request.destroyed || !hasBody(request.headers)) return;
  let remainingBytes = bytes;
  // The response's own socket is null once the answer is sent.
  const closeConnection = (): void => void request.socket.destroy();
  const timer = setTimeout(closeConnection, milliseconds).unref();
  request.on('data', (chunk: Buffer) => {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) closeConnection();
  });
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
