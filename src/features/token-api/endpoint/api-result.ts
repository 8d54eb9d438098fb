import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { toMessagesErrorBody } from '../../../platform/http/error-body.ts';
import { CLIENT_CLOSED_REQUEST, type ObserveResponse, getPath } from '../../../platform/http/observe-response.ts';
import { toRequestId } from '../../../platform/http/request-id.ts';
import { JSON_HEADERS, STRICT_TRANSPORT_SECURITY } from '../../../platform/http/security-headers.ts';

/** One request under `/v1` as its handler receives it. */
export interface ApiCall {
  request: IncomingMessage;
  response: ServerResponse;
  /** Additional headers of every response, as alternating names and values. */
  headers: string[];
}

/** The result of a handler: JSON text with status 200, or an error. */
export type ApiResult = { ok: true; json: string } | ApiErrorResult;

export interface ApiErrorResult {
  ok: false;
  status: number;
  message: string;
  /** Headers of this error, as alternating names and values. */
  headers: readonly string[];
  /** The underlying error, which is only logged. */
  cause?: unknown;
}

/** Returns an error that is sent with the error body of the Messages API. */
export function apiError(status: number, message: string, ...headers: string[]): ApiErrorResult {
  return { ok: false, status, message, headers };
}

/** The client closed the connection before the response. The status 499 is visible only in logs and metrics. */
export const CLIENT_CLOSED = apiError(CLIENT_CLOSED_REQUEST, 'The client closed the connection.');

/** Log and metrics that record every response. */
export interface Observers {
  logger: Logger;
  observe: ObserveResponse;
  /** Whether the base URL is https. Responses then have `strict-transport-security`. */
  https?: boolean | undefined;
}

const FIXED_HEADERS = Object.entries(JSON_HEADERS).flat();
const FIXED_HTTPS_HEADERS = [...FIXED_HEADERS, 'strict-transport-security', STRICT_TRANSPORT_SECURITY];

/**
 * Runs a handler and sends its result without Fastify's reply (1 KB: 178 µs per request instead of 220).
 * `route` is the route pattern for the metrics. Never rejects. If a response cannot be sent, the connection is closed.
 */
export async function sendApiResult(
  handle: (call: ApiCall) => ApiResult | Promise<ApiResult>,
  { request, reply, route }: { request: FastifyRequest; reply: FastifyReply; route: string },
  { logger, observe, https }: Observers,
): Promise<void> {
  reply.hijack();
  const startedAt = performance.now();
  const { id, raw } = request;
  const logFields = { reqId: id, method: raw.method, route };
  const response = reply.raw;
  const headers: string[] = [];
  let result: ApiResult;
  try {
    result = await handle({ request: raw, response, headers });
  } catch (error) {
    logger.error({ err: error, ...logFields }, 'unexpected error');
    result = apiError(500, 'Internal server error');
  }
  if (!result.ok) {
    headers.push(...result.headers);
    // An unexpected error (500) has its line already.
    if (result.status > 500)
      logger.warn({ err: result.cause, reason: result.message, ...logFields }, 'request failed: dependency error');
  }
  let status = result.ok ? 200 : result.status;
  try {
    if (response.destroyed) {
      status = CLIENT_CLOSED_REQUEST;
    } else {
      const json = result.ok ? result.json : JSON.stringify(toMessagesErrorBody(status, result.message, id));
      response.writeHead(status, [
        ...(https ? FIXED_HTTPS_HEADERS : FIXED_HEADERS),
        'content-length',
        String(Buffer.byteLength(json)),
        'request-id',
        id,
        'x-request-id',
        toRequestId(raw.headers['x-request-id'], id),
        ...headers,
      ]);
      batchResponseEnds(response, json);
    }
    observe({
      id,
      method: raw.method!,
      route,
      path: getPath(raw),
      status,
      milliseconds: performance.now() - startedAt,
      response,
    });
  } catch (error) {
    logger.error({ err: error, ...logFields }, 'failed to send or log the response');
    if (!response.headersSent) response.destroy();
  }
}

let pendingEnds: { response: ServerResponse; json: string }[] = [];

/**
 * Writes all responses of one event-loop turn together, so a sleeping client wakes once instead of once per response.
 * At 1 KB this reduced CPU time from 47 to 33 µs per request (64 connections, two cores).
 */
function batchResponseEnds(response: ServerResponse, json: string): void {
  pendingEnds.push({ response, json });
  if (pendingEnds.length > 1) return;
  setImmediate(() => {
    const batch = pendingEnds;
    pendingEnds = [];
    for (const pendingEnd of batch) pendingEnd.response.end(pendingEnd.json);
  });
}
