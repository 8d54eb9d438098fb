import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from './app-type.ts';
import { sendErrorResponse } from './error-handler.ts';
import { getPath } from './observe-response.ts';

/** Paths that balancers request. They do not show whether clients still send requests here. */
const HEALTH_CHECK_PATHS = new Set(['/readyz', '/healthz']);
const MIN_IDLE_MS = 500;
const IDLE_CHECK_INTERVAL_MS = 100;
/** Maximum factor of the drain time for which clients that ignore readiness delay a stop. */
const MAX_DRAIN_FACTOR = 3;
const CLOSE_IDLE_INTERVAL_MS = 200;
/** Time in ms in which a new connection must send its request while the service stops. */
const FIRST_REQUEST_MS = 1_000;

/** Error for a request on a keep-alive connection after the stop. */
const STOPPING_ERROR = { retryAfter: 1, message: 'The service is stopping; send the request again.' };

interface ShutdownState {
  /** Response class that closes connections while the service stops. */
  ResponseClass: typeof ServerResponse;
  /** Listener for new connections. */
  onConnection(this: void, socket: Socket): void;
  /** Hook that responds in place of the routes. */
  onRequest(this: void, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
  /** Hook that drains. Without a drain time, requests are rejected immediately. */
  preClose(this: void, app: HttpApp, drainMs: number | undefined): Promise<void>;
}

/**
 * Creates the shutdown of a server, which has three states:
 * - `serving`;
 * - `draining`: `/readyz` fails, so that balancers stop sending requests, and each response closes its connection;
 * - `closing`: requests are rejected, and connections close once they are idle.
 */
export function createShutdownState(): ShutdownState {
  let state: 'serving' | 'draining' | 'closing' = 'serving';
  let lastRequestAt = -Infinity;
  const latestResponseBySocket = new WeakMap<object, ServerResponse>();
  /** Start of each connection that has sent no whole request head. Node does not count these as idle. */
  const unusedSince = new Map<Socket, number>();

  const closeUnusedConnections = (): void => {
    for (const [socket, startedAt] of unusedSince)
      if (performance.now() - startedAt > FIRST_REQUEST_MS) socket.destroy();
  };

  /**
   * Closes a connection with its last response while the service stops. Otherwise a busy client would prevent the stop.
   */
  class ConnectionClosingResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(...responseArgs: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...responseArgs);
      const [{ socket, url }] = responseArgs;
      latestResponseBySocket.set(socket, this);
      unusedSince.delete(socket);
      if (state !== 'serving' && url !== undefined && !HEALTH_CHECK_PATHS.has(url)) lastRequestAt = performance.now();
    }

    override writeHead(...head: [status: number, ...rest: never[]]): this {
      if (state !== 'serving' && latestResponseBySocket.get(this.req.socket) === this) this.shouldKeepAlive = false;
      return super.writeHead(...head);
    }
  }

  /**
   * Resolves after `minMs`, or later once no request has been received for half a second. On a busy machine a balancer
   * notices the failed readiness late.
   */
  async function waitUntilIdle(minMs: number): Promise<void> {
    const startedAt = performance.now();
    const isDrained = (now: number): boolean =>
      now - startedAt >= MAX_DRAIN_FACTOR * minMs ||
      (now - startedAt >= minMs && now - lastRequestAt >= Math.min(MIN_IDLE_MS, minMs));
    while (!isDrained(performance.now())) {
      await sleep(Math.min(IDLE_CHECK_INTERVAL_MS, minMs));
      // Timers run before I/O. If this process was blocked, requests wait in the sockets.
      await turn();
    }
  }

  return {
    ResponseClass: ConnectionClosingResponse,

    onConnection(socket) {
      unusedSince.set(socket, performance.now());
      socket.once('close', () => unusedSince.delete(socket));
    },

    async onRequest(request, reply) {
      if (state === 'serving') return undefined;
      const path = getPath(request);
      if (path === '/readyz')
        return reply.code(503).header('cache-control', 'no-store').send({ status: 'not_ready', checks: {} });
      // Balancers use /healthz for paths that need no database.
      if (state === 'closing' || path === '/healthz')
        return sendErrorResponse(request, reply.header('connection', 'close'), 'UNAVAILABLE', STOPPING_ERROR);
      return undefined;
    },

    async preClose(app, drainMs) {
      state = 'draining';
      if (drainMs) await waitUntilIdle(drainMs);
      state = 'closing';
      // Connections whose response had started before the stop are idle only later.
      const closeTimer = setInterval(() => {
        app.server.closeIdleConnections();
        closeUnusedConnections();
      }, CLOSE_IDLE_INTERVAL_MS).unref();
      app.server.once('close', () => clearInterval(closeTimer));
    },
  };
}
