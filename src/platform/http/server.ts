import { createServer, type IncomingMessage } from 'node:http';
import compress from '@fastify/compress';
import Fastify, { type FastifyError, type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { trackRouteMethods } from './allowed-methods.ts';
import type { HttpApp } from './app-type.ts';
import { handleClientError, rejectExpectations, rejectAmbiguousHeaders } from './malformed-request.ts';
import { addConditionalResponses } from './conditional-responses.ts';
import { rejectCompressedBodies } from './content-encoding.ts';
import { createShutdownState } from './drain.ts';
import { addDocumentRoutes, trackRouteDefinitions } from './openapi/document-routes.ts';
import { handleError, getErrorCode, sendErrorResponse } from './error-handler.ts';
import { AppError } from '../../errors.ts';
import { runGuards } from './guard.ts';
import { limitUnreadBody } from './limit-unread-body.ts';
import { addRateLimitHeaders } from './rate-limit-headers.ts';
import type { RequestMetrics } from './metrics.ts';
import { CLIENT_CLOSED_REQUEST, createResponseObserver, getPath, UNMATCHED } from './observe-response.ts';
import { parseJson } from './parse-json.ts';
import { toRequestId } from './request-id.ts';
import { addSecurityHeaders, STRICT_TRANSPORT_SECURITY } from './security-headers.ts';
import { rejectUnstorableText } from './storable-text.ts';

interface HttpOptions {
  logger: Logger;
  metrics: RequestMetrics;
  /** Addresses or networks whose `x-forwarded-for` is believed; empty for none. */
  trustedProxies: readonly string[];
  /** Bytes that a body of `/api` may have; single routes set their own. */
  bodyLimit: number;
  /** Milliseconds that a whole request may take to arrive. */
  requestTimeout: number;
  /** Milliseconds for which a stopping server still serves while it is not ready, at least, for its balancer. */
  drainMs?: number;
  https: boolean;
  connectTo?: string | undefined;
  /** The address under which a request is routed and logged, where that is another than the one it was sent to. */
  rewriteUrl?: ((url: string) => string) | undefined;
  /** Answers an unknown path for a person (the web app's own page for it), where there is a web app. */
  notFoundPage?: ((reply: FastifyReply) => FastifyReply) | undefined;
}

interface HttpServer {
  http: HttpApp;
  /**
   * Adds what pages and `/api` have on each answer: log line, metrics, security headers, compression, conditional
   * answers, guards, a page or a failure at unknown paths.
   */
  addPageHooks(scope: HttpApp): Promise<void>;
}

/** The server, routed by Fastify. Parsing, errors, limits and the drain hold for all of it; features add the routes. */
export function createHttpServer(options: HttpOptions): HttpServer {
  const observe = createObserver(options);
  const shutdown = createShutdownState();
  class Response<Request extends IncomingMessage> extends shutdown.ResponseClass<Request> {
    override writeHead(...head: [status: number, ...rest: never[]]): this {
      limitUnreadBody(this.req);
      return super.writeHead(...head);
    }
  }
  const app = Fastify({
    // With a logger here Fastify listens to every response, which costs a count 4 %; scopes make their own.
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    requestIdHeader: false,
    genReqId: (request) => toRequestId(request.headers['x-request-id']),
    bodyLimit: options.bodyLimit,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    forceCloseConnections: 'idle',
    // All slices register within one scope, which on a slow machine takes longer than Fastify's ten seconds.
    pluginTimeout: 0,
    // Refused below, in our own words.
    return503OnClosing: false,
    rewriteUrl: ({ url = '' }) => options.rewriteUrl?.(url) ?? url,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    serverFactory: (handler) => {
      const server = createServer(
        {
          requestTimeout: options.requestTimeout,
          headersTimeout: Math.min(options.requestTimeout, 20_000),
          // How late the two above may strike; Node's own default is half a minute.
          connectionsCheckingInterval: Math.min(options.requestTimeout, 5_000),
          keepAliveTimeout: 65_000,
          ServerResponse: Response,
          // Refused below, in our own words.
          requireHostHeader: false,
        },
        (request, response) => {
          if (!rejectAmbiguousHeaders(request, response)) handler(request, response);
        },
      );
      rejectExpectations(server);
      return server;
    },
    frameworkErrors: (error, request, reply) => handleFrameworkError(options, observe, error, request, reply),
    clientErrorHandler: (error, socket) => handleClientError(error, socket),
  }) as unknown as HttpApp;

  const findAllowedMethods = trackRouteMethods(app);
  const definitions = trackRouteDefinitions(app);
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser('text/plain');
  acceptEmptyJsonBodies(app);

  app.addHook('preClose', () => shutdown.preClose(app, options.drainMs));
  app.setErrorHandler((error, request, reply) => handleError(error as never, request, reply));

  /**
   * In the order of the hooks, which matters:
   * 1. request id, log line and metrics, so that every answer has them;
   * 2. security headers, then compression, conditional answers and rate-limit headers, so that a refusal has them too;
   * 3. the shutdown, which refuses before anything is asked of the database;
   * 4. guards, which refuse before a body is read;
   * 5. compressed bodies and text that cannot be stored, of those who may send one.
   */
  async function addPageHooks(scope: HttpApp): Promise<void> {
    scope.setChildLoggerFactory((_none, bindings, settings) => options.logger.child(bindings, settings));
    observeResponses(scope, options, observe);
    await addSecurityHeaders(scope, options);
    await scope.register(compress, { encodings: ['br', 'gzip'], threshold: 1024, globalDecompression: false });
    addConditionalResponses(scope);
    addRateLimitHeaders(scope);
    addDocumentRoutes(scope, definitions);
    scope.addHook('onRequest', shutdown.onRequest);
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

/** Records an answer in the log and the metrics. */
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

/** Gives each answer its id and observes it once, also where the client has gone before it. */
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

/** Answers requests for which Fastify runs no hook, such as a path that is no URL. */
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
 * Accepts an empty body with `content-type: application/json` on routes that take none, since many clients send that
 * with DELETE; where a route takes a body, an empty one stays a refusal.
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

/** JSON that the parser refused has a key that could change what objects inherit. */
const createForbiddenKeyError = (): AppError =>
  new AppError('INVALID_REQUEST', {
    issues: [{ path: '', message: 'the body has the key "__proto__", or "prototype" in "constructor"; no body may' }],
  });

/** Whether a browser requests a page, and not a program one of our interfaces. */
function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  if (/^\/(api|v1|_idp)(\/|$)/.test(getPath(request))) return false;
  return request.headers.accept?.includes('text/html') ?? false;
}
