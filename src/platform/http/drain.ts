import { type IncomingMessage, ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HttpApp } from './app-type.ts';
import { sendFailure } from './error-handler.ts';
import { pathOf } from './observe-answer.ts';

/** Balancers request these on their own: they do not show whether clients are still sent here. */
const PROBES = new Set(['/readyz', '/healthz']);
const QUIET_MS = 500;
const CHECK_MS = 100;
/** Clients that ignore readiness do not hold up a stop for longer than so many times the drain time. */
const MAX_DRAIN_FACTOR = 3;
const CLOSE_IDLE_MS = 200;

/** A kept connection may send one more request to a service that stops. */
const STOPPING = { retryAfter: 1, message: 'The service is stopping; send the request again.' };

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
  let lastArrival = -Infinity;
  const newest = new WeakMap<object, ServerResponse>();

  /** While the service stops, the last response of a connection closes it, or a busy client would prevent the stop. */
  class ConnectionClosingResponse<Request extends IncomingMessage> extends ServerResponse<Request> {
    constructor(...made: ConstructorParameters<typeof ServerResponse<Request>>) {
      super(...made);
      const [{ socket, url }] = made;
      newest.set(socket, this);
      if (state !== 'serving' && url !== undefined && !PROBES.has(url)) lastArrival = performance.now();
    }

    override writeHead(...head: [status: number, ...rest: never[]]): this {
      if (state !== 'serving' && newest.get(this.req.socket) === this) this.shouldKeepAlive = false;
      return super.writeHead(...head);
    }
  }

  /**
   * Resolves after `ms`, or once no request has arrived for half a second, where that comes later: a balancer on a busy
   * machine sees late that this server is not ready.
   */
  async function drain(ms: number): Promise<void> {
    const begin = performance.now();
    const isOver = (now: number): boolean =>
      now - begin >= MAX_DRAIN_FACTOR * ms || (now - begin >= ms && now - lastArrival >= Math.min(QUIET_MS, ms));
    while (!isOver(performance.now())) {
      await sleep(Math.min(CHECK_MS, ms));
      // Timers run before I/O: where this process was held up, requests wait there.
      await turn();
    }
  }

  return {
    ResponseClass: ConnectionClosingResponse,

    async onRequest(request, reply) {
      if (state === 'serving') return undefined;
      const path = pathOf(request);
      if (path === '/readyz')
        return reply.code(503).header('cache-control', 'no-store').send({ status: 'not_ready', checks: {} });
      // Balancers ask /healthz for what goes on without the database.
      if (state === 'closing' || path === '/healthz')
        return sendFailure(request, reply.header('connection', 'close'), 'UNAVAILABLE', STOPPING);
      return undefined;
    },

    async preClose(app, drainMs) {
      state = 'draining';
      if (drainMs) await drain(drainMs);
      state = 'closing';
      // Connections whose response had begun before.
      const idle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_MS).unref();
      app.server.once('close', () => clearInterval(idle));
    },
  };
}
