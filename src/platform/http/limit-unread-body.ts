import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/**
 * Limits of the body that a client may still send after an early response. Closing immediately could lose the response.
 */
const UNREAD_BODY_LIMITS = { bytes: 64 * 1024 * 1024, milliseconds: 10_000 };

/** Returns whether the request headers announce a body of at least one byte. */
export function hasBody({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return encoding !== undefined || (length !== undefined && length !== '0');
}

/**
 * Discards the rest of the body of an answered request, and closes the connection after 64 MB or 10 seconds. Node
 * itself would read without a limit.
 */
export function limitUnreadBody(request: IncomingMessage, { bytes, milliseconds } = UNREAD_BODY_LIMITS): void {
  if (request.complete || request.destroyed || !hasBody(request.headers)) return;
  let remainingBytes = bytes;
  // The response's own socket is null once the response is sent.
  const closeConnection = (): void => {
    request.socket.destroy();
  };
  const timer = setTimeout(closeConnection, milliseconds).unref();
  request.on('data', (chunk: Buffer) => {
    remainingBytes -= chunk.length;
    if (remainingBytes < 0) closeConnection();
  });
  request.once('close', () => clearTimeout(timer));
  request.resume();
}
