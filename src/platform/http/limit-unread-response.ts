import type { ServerResponse } from 'node:http';

/** Limits of responses that their clients do not read. */
export interface UnreadResponseLimits {
  /** Time in ms that every response may wait. */
  milliseconds: number;
  /** A response of more bytes may wait longer, by a second for each of these. */
  bytesPerSecond: number;
  /** Most bytes of all waiting responses, which are in memory. */
  maxBytes: number;
}

export const UNREAD_RESPONSE_LIMITS: UnreadResponseLimits = {
  milliseconds: 60_000,
  bytesPerSecond: 16_384,
  maxBytes: 64 * 1024 * 1024,
};

/**
 * Returns a function that limits how long a response waits for its client. Call it whenever the response has bytes that
 * the client has not read. It closes the connection after the time limit, and the connections that wait longest when
 * all waiting responses have too many bytes. When the client reads, the time starts anew with the next call.
 */
export function createUnreadLimiter({
  milliseconds,
  bytesPerSecond,
  maxBytes,
}: UnreadResponseLimits = UNREAD_RESPONSE_LIMITS): (response: ServerResponse) => void {
  /** Bytes of each waiting response, longest waiting first. */
  const waiting = new Map<ServerResponse, number>();
  let waitingBytes = 0;

  const remove = (response: ServerResponse): void => {
    waitingBytes -= waiting.get(response) ?? 0;
    waiting.delete(response);
  };

  const closeLongestWaiting = (): void => {
    for (const response of waiting.keys()) {
      // The last one stays, so that a response above the limit can be sent.
      if (waitingBytes <= maxBytes || waiting.size === 1) return;
      remove(response);
      response.req.socket.destroy();
    }
  };

  return (response) => {
    if (waiting.has(response)) return;
    const bytes = response.writableLength;
    waiting.set(response, bytes);
    waitingBytes += bytes;
    const closeConnection = (): void => {
      // A pipelined response has no socket yet. It waits for those before it, which have limits of their own.
      if (response.socket) response.socket.destroy();
      else timer.refresh();
    };
    const timer = setTimeout(closeConnection, milliseconds + (bytes / bytesPerSecond) * 1_000).unref();
    const stop = (): void => {
      clearTimeout(timer);
      remove(response);
      response.off('drain', stop).off('close', stop);
    };
    response.on('drain', stop).on('close', stop);
    closeLongestWaiting();
  };
}
