import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';
import { rejectPipelinedRequest } from './malformed-request.ts';
import { toRateLimitAddress } from './rate-limit-address.ts';

/** Requests of one connection that may be in progress at once. Browsers and client libraries send one at a time. */
export const MAX_PER_CONNECTION = 32;

/** Requests of one address that may be in progress at once outside `/v1`. One address may be an office. */
export const MAX_PER_ADDRESS = 256;

/** Requests of one address to `/v1` that may be in progress at once. One address may be a gateway of many clients. */
export const MAX_V1_PER_ADDRESS = 1_024;

const RETRY_AFTER_SECONDS = 1;

/** Time in ms after which a connection above its limit is closed, whether or not its client reads the responses. */
const CLOSE_AFTER_MS = 5_000;

/**
 * Returns a handler that passes on at most `max` requests of a connection at a time, since one packet may hold a
 * thousand pipelined requests. The next one gets 429, and the connection is closed; later ones get no response.
 */
export function limitPipelining(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  max = MAX_PER_CONNECTION,
): (request: IncomingMessage, response: ServerResponse) => void {
  const inProgress = new WeakMap<Socket, number>();
  const rejected = new WeakSet<Socket>();
  return (request, response) => {
    const { socket } = request;
    const count = (inProgress.get(socket) ?? 0) + 1;
    inProgress.set(socket, count);
    response.once('close', () => inProgress.set(socket, inProgress.get(socket)! - 1));
    if (rejected.has(socket)) return;
    if (count <= max) handle(request, response);
    else {
      rejected.add(socket);
      // Else each later request would stay in memory until the connection is closed.
      stopReading(socket);
      rejectPipelinedRequest(request, response);
      setTimeout(() => socket.destroy(), CLOSE_AFTER_MS).unref();
    }
  };
}

/** Stops reading a connection for good, although Node resumes it after each message and each sent response. */
function stopReading(socket: Socket): void {
  socket.on('resume', () => socket.pause());
  socket.pause();
}

/** The `retry-after` in seconds and the message for an address that has `max` requests in progress. */
export const describeAddressLimit = (max: number): { retryAfter: number; message: string } => ({
  retryAfter: RETRY_AFTER_SECONDS,
  message: `Your address has ${max} requests in progress; wait for their responses.`,
});

/**
 * Returns a function that counts a request of an address until its response is closed. It returns false, without
 * counting the request, if `max` requests of the address are in progress.
 */
export function createAddressLimit(max: number): (request: FastifyRequest, reply: FastifyReply) => boolean {
  const inProgress = new Map<string, number>();
  return (request, reply) => {
    const address = toRateLimitAddress(request);
    const count = inProgress.get(address) ?? 0;
    if (count >= max) return false;
    inProgress.set(address, count + 1);
    reply.raw.once('close', () => {
      const left = inProgress.get(address)! - 1;
      if (left > 0) inProgress.set(address, left);
      else inProgress.delete(address);
    });
    return true;
  };
}

/** Responds 429 to a request of an address that has too many requests in progress. */
export function limitConcurrencyPerAddress(app: HttpApp, max = MAX_PER_ADDRESS): void {
  const countRequest = createAddressLimit(max);
  app.addHook('onRequest', async (request, reply) => {
    if (!countRequest(request, reply)) throw new AppError('RATE_LIMITED', describeAddressLimit(max));
  });
}
