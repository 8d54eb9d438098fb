import { type IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from './app-type.ts';
import { sendErrorResponse } from './error-handler.ts';
import { getPath } from './observe-response.ts';

/** Balancers request these on their own: they do not show whether clients are still sent here. */
const HEALTH_CHECK_PATHS = new Set(['/readyz', '/healthz']);
const MIN_IDLE_MS = 500;
const IDLE_CHECK_INTERVAL_MS = 100;
/** Clients that ignore readiness do not hold up a stop for longer than so many times the drain time. */
const MAX_DRAIN_FACTOR = 3;
const CLOSE_IDLE_INTERVAL_MS = 200;

/** A kept connection may send one more request to a service that stops. */
const STOPPING_ERROR = { retryAfter: 1, message: 'The service is stopping; send the request again.' };

interface ShutdownState {
  /** Responses that close their connection while the service stops. */
  ResponseClass: typeof ServerResponse;
  /** The hook that answers in place of the routes. */
  onRequest(this: void, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined>;
  /** The hook that drains. Without a drain time requests are refused at once. */
  preClose(this: void, app: HttpApp, drainMs: number | undefined): Promise<void>;
}

/**
 * The shutdown of a server, which goes through three states:
 * - `serving`;
 * - `draining`: `/readyz` fails, so that balancers stop sending requests; each response closes its connection;
 * - `closing`: requests are refused, and connections close once they are idle.
 */
export function createShutdownState(): ShutdownState {
  let state: 'serving' | 'draining' | 'closing' = 'serving';
  let lastRequestAt = -Infinity;
  const latestResponseBySocket = new WeakMap<object, ServerResponse>();

  /** While the service stops, the last response of a connection closes it, or a busy client would prevent the stop. */
  class ConnectionClosingResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(...responseArgs: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...responseArgs);
      const [{ socket, url }] = responseArgs;
      latestResponseBySocket.set(socket, this);
      if (state !== 'serving' && url !== undefined && !HEALTH_CHECK_PATHS.has(url)) lastRequestAt = performance.now();
    }

    override writeHead(...head: [status: number, ...rest: never[]]): this {
      if (state !== 'serving' && latestResponseBySocket.get(this.req.socket) === this) this.shouldKeepAlive = false;
      return super.writeHead(...head);
    }
  }

  /**
   * Resolves after `ms`, or once no request has arrived for half a second, where that comes later: a balancer on a busy
   * machine sees late that this server is not ready.
   */
  async function waitUntilIdle(minMs: number): Promise<void> {
    const startedAt = performance.now();
    const isDrained = (now: number): boolean =>
      now - startedAt >= MAX_DRAIN_FACTOR * minMs ||
      (now - startedAt >= minMs && now - lastRequestAt >= Math.min(MIN_IDLE_MS, minMs));
    while (!isDrained(performance.now())) {
      await sleep(Math.min(IDLE_CHECK_INTERVAL_MS, minMs));
      // Timers run before I/O: where this process was held up, requests wait there.
      await turn();
    }
  }

  return {
    ResponseClass: ConnectionClosingResponse,

    async onRequest(request, reply) {
      if (state === 'serving') return undefined;
      const path = getPath(request);
      if (path === '/readyz')
        return reply.code(503).header('cache-control', 'no-store').send({ status: 'not_ready', checks: {} });
      // Balancers ask /healthz for what goes on without the database.
      if (state === 'closing' || path === '/healthz')
        return sendErrorResponse(request, reply.header('connection', 'close'), 'UNAVAILABLE', STOPPING_ERROR);
      return undefined;
    },

    async preClose(app, drainMs) {
      state = 'draining';
      if (drainMs) await waitUntilIdle(drainMs);
      state = 'closing';
      // Connections whose response had begun before.
      const closeIdleTimer = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_INTERVAL_MS).unref();
      app.server.once('close', () => clearInterval(closeIdleTimer));
    },
  };
}
