import { createServer, type IncomingMessage } from 'node:http';
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import type { Logger } from 'pino';
import { trackRouteMethods } from './allowed-methods.ts';
import type { HttpApp } from './app-type.ts';
import { handleClientError, rejectAmbiguousHeaders, rejectExpectations } from './malformed-request.ts';
import { addConditionalResponses } from './conditional-responses.ts';
import { compressResponses } from './compress-responses.ts';
import { rejectCompressedBodies } from './content-encoding.ts';
import { createShutdownState } from './drain.ts';
import { addDocumentRoutes, trackRouteDefinitions } from './openapi/document-routes.ts';
import { handleError, getErrorCode, sendErrorResponse } from './error-handler.ts';
import { AppError } from '../../errors.ts';
import { runGuards } from './guard.ts';
import { limitConcurrencyPerAddress, limitPipelining } from './limit-concurrency.ts';
import { limitUnreadBody } from './limit-unread-body.ts';
import { createUnreadLimiter, type UnreadResponseLimits } from './limit-unread-response.ts';
import { addRateLimitHeaders } from './rate-limit-headers.ts';
import type { RequestMetrics } from './metrics.ts';
import { CLIENT_CLOSED_REQUEST, createResponseObserver, getPath, UNMATCHED } from './observe-response.ts';
import { parseJson } from './parse-json.ts';
import { runWithRequestId, toRequestId } from './request-id.ts';
import { schemaController } from './schema-controller.ts';
import { addSecurityHeaders, STRICT_TRANSPORT_SECURITY } from './security-headers.ts';
import { rejectUnstorableText } from './storable-text.ts';

interface HttpOptions {
  logger: Logger;
  metrics: RequestMetrics;
  /** Trusted addresses or networks for `x-forwarded-for`. Empty trusts none. */
  trustedProxies: readonly string[];
  /** Maximum body size of `/api` in bytes. Single routes set their own. */
  bodyLimit: number;
  /** Time in ms within which a whole request must be received. */
  requestTimeout: number;
  /** Limits of responses that their clients do not read, which tests set. */
  unreadLimits?: UnreadResponseLimits | undefined;
  /** Minimum time in ms for which a stopping server still serves while not ready, for its balancer. */
  drainMs?: number;
  https: boolean;
  connectTo?: string | undefined;
  /** Returns the URL under which a request is routed and logged, if it differs from the requested one. */
  rewriteUrl?: ((url: string) => string) | undefined;
  /** Sends the web app's page for an unknown path, if there is a web app. */
  notFoundPage?: ((reply: FastifyReply) => FastifyReply) | undefined;
}

interface HttpServer {
  http: HttpApp;
  /**
   * Adds the common behavior of pages and `/api`: log line, metrics, security headers, compression, conditional
   * responses, guards, and a page or error for unknown paths.
   */
  addPageHooks(scope: HttpApp): Promise<void>;
}

/**
 * Creates the server, routed by Fastify. Parsing, errors, limits and drain apply to all routes. Features add the
 * routes.
 */
export function createHttpServer(options: HttpOptions): HttpServer {
  const observe = createObserver(options);
  const shutdown = createShutdownState();
  const limitUnreadResponse = createUnreadLimiter(options.unreadLimits);
  class Response<Request extends IncomingMessage> extends shutdown.ResponseClass<Request> {
    override writeHead(...head: [status: number, ...rest: never[]]): this {
      limitUnreadBody(this.req);
      return super.writeHead(...head);
    }

    override write(...written: [chunk: unknown, ...rest: never[]]): boolean {
      const isTaken = super.write(...written);
      if (!isTaken) limitUnreadResponse(this);
      return isTaken;
    }

    override end(...last: [chunk?: unknown, ...rest: never[]]): this {
      super.end(...last);
      if (this.writableLength > 0) limitUnreadResponse(this);
      return this;
    }
  }
  const app = Fastify({
    // With a logger here Fastify observes every response, which costs a count 4 %. Scopes create their own.
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: (request) => toRequestId(request.headers['x-request-id']),
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    // All features register within one scope, which may exceed Fastify's default of ten seconds on a slow machine.
    pluginTimeout: 0,
    // Rejected below with our own message.
    return503OnClosing: false,
    rewriteUrl: ({ url = '' }) => options.rewriteUrl?.(url) ?? url,
    schemaController,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    serverFactory: (handler) => {
      const server = createServer(
        {
          requestTimeout: options.requestTimeout,
          headersTimeout: Math.min(options.requestTimeout, 20_000),
          // Interval at which the two timeouts above are checked. Node's default is 30 seconds.
          connectionsCheckingInterval: Math.min(options.requestTimeout, 5_000),
          keepAliveTimeout: 65_000,
          ServerResponse: Response,
          // Rejected below with our own message.
          requireHostHeader: false,
        },
        limitPipelining((request, response) => {
          if (!rejectAmbiguousHeaders(request, response)) handler(request, response);
        }),
      );
      rejectExpectations(server);
      server.on('connection', shutdown.onConnection);
      return server;
    },
    frameworkErrors: (error, request, reply) => handleFrameworkError(options, observe, error, request, reply),
    clientErrorHandler: (error, socket) => handleClientError(error, socket),
  }) as unknown as HttpApp;

  const findAllowedMethods = trackRouteMethods(app);
  const definitions = trackRouteDefinitions(app);
  app.removeContentTypeParser('text/plain');
  acceptEmptyJsonBodies(app);

  app.addHook('preClose', () => shutdown.preClose(app, options.drainMs));
  app.setErrorHandler((error, request, reply) => handleError(error as never, request, reply));

  /**
   * Adds the hooks in an order that matters:
   * 1. request id, log line and metrics, so that every response has them;
   * 2. security headers, then conditional responses, compression and rate-limit headers, so that errors have them too;
   * 3. the shutdown and the limit of an address, which reject requests before any database query;
   * 4. guards, which reject requests before a body is read;
   * 5. compressed bodies and text that cannot be stored, checked only for admitted callers.
   */
  async function addPageHooks(scope: HttpApp): Promise<void> {
    scope.setChildLoggerFactory(() => options.logger);
    keepRequestId(scope);
    observeResponses(scope, options, observe);
    await addSecurityHeaders(scope, options);
    addConditionalResponses(scope);
    compressResponses(scope);
    addRateLimitHeaders(scope);
    addDocumentRoutes(scope, definitions);
    scope.addHook('onRequest', shutdown.onRequest);
    limitConcurrencyPerAddress(scope);
    runGuards(scope);
    rejectCompressedBodies(scope);
    rejectUnstorableText(scope);

    scope.setNotFoundHandler(async (request, reply) => {
      const allow = await findAllowedMethods(request);
      if (allow.length > 0 && !allow.includes(request.method))
        return sendErrorResponse(request, reply, 'METHOD_NOT_ALLOWED', { allow });
      const page = wantsPage(request) ? options.notFoundPage : undefined;
      return page ? page(reply) : sendErrorResponse(request, reply, 'NOT_FOUND');
    });
  }
  return { http: app, addPageHooks };
}

/** Records a response in the log and the metrics. */
type Observe = (request: FastifyRequest, reply: FastifyReply, status?: number) => void;

function createObserver({ logger, metrics }: HttpOptions): Observe {
  const observeResponse = createResponseObserver(logger, metrics);
  return (request, reply, status = reply.statusCode) =>
    observeResponse({
      id: request.id,
      method: request.method,
      route: request.routeOptions.url ?? UNMATCHED,
      path: getPath(request),
      status,
      milliseconds: reply.elapsedTime,
      response: reply.raw,
    });
}

/** Adds the request's id to every log line of its handling. Reading a body leaves the context, so it is set twice. */
function keepRequestId(scope: HttpApp): void {
  scope.addHook('onRequest', (request, _reply, done) => runWithRequestId(request.id, done));
  scope.addHook('preValidation', (request, _reply, done) => runWithRequestId(request.id, done));
}

/** Gives each response its id and observes it once, also if the client has disconnected before it. */
function observeResponses(scope: HttpApp, { metrics }: HttpOptions, observe: Observe): void {
  const observedRequests = new WeakSet<FastifyRequest>();
  scope.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
    reply.raw.once('close', () => {
      if (!observedRequests.has(request)) observe(request, reply, CLIENT_CLOSED_REQUEST);
    });
  });
  scope.addHook('onResponse', async (request, reply) => {
    observedRequests.add(request);
    observe(request, reply);
    const code = getErrorCode(reply);
    if (code) metrics.recordError(request.routeOptions.url ?? UNMATCHED, code);
  });
}

/** Responds to requests for which Fastify runs no hook, such as a path that is no URL. */
function handleFrameworkError(
  { https }: HttpOptions,
  observe: Observe,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.raw.once('finish', () => observe(request, reply));
  reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
  if (https) reply.header('strict-transport-security', STRICT_TRANSPORT_SECURITY);
  handleError(error, request, reply);
}

/**
 * Accepts an empty body with `content-type: application/json` on routes without a body, since many clients send that
 * with DELETE. On routes with a body an empty one stays an error.
 */
function acceptEmptyJsonBodies(app: HttpApp): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' && request.routeOptions.schema?.body === undefined) return done(null, undefined);
    return parse(request, body, (error, value) =>
      done(error && parseJson(body) !== undefined ? createForbiddenKeyError() : error, value),
    );
  });
}

/** Error for JSON with a key that could change an object's prototype. */
const createForbiddenKeyError = (): AppError =>
  new AppError('INVALID_REQUEST', {
    issues: [{ path: '', message: 'the body must not contain the key "__proto__", or "prototype" in "constructor"' }],
  });

/** Returns whether a browser requests a page, in contrast to a client of an API. */
function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (/^\/(api|v1|_idp)(\/|$)/.test(getPath(request))) return false;
  return request.headers.accept?.includes('text/html') ?? false;
}
