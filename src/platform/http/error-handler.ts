import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors, isResponseSerializationError } from 'fastify-type-provider-zod';
import { isLostWorkerError } from '../database/connection-loss.ts';
import { isDatabaseDiskFull } from '../database/disk-full.ts';
import { AppError, type ErrorCode, type ErrorDetails, type Issue } from '../../errors.ts';
import { getDialect, toErrorBody } from './error-body.ts';
import { getPath, UNMATCHED } from './observe-response.ts';
import { statusByErrorCode } from './status.ts';

/** Error code of each failed request, for the metrics. */
const errorCodeByReply = new WeakMap<FastifyReply, ErrorCode>();

/** Returns the listed error code of the response, or undefined if the request succeeded or failed otherwise. */
export const getErrorCode = (reply: FastifyReply): ErrorCode | undefined => errorCodeByReply.get(reply);

/** Sends an error in the dialect of the request's path, with `retry-after`, `allow` and `www-authenticate`. */
export function sendErrorResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  code: ErrorCode,
  details: ErrorDetails = {},
): FastifyReply {
  const status = statusByErrorCode[code];
  errorCodeByReply.set(reply, code);
  if (details.retryAfter !== undefined) reply.header('retry-after', String(Math.max(1, Math.ceil(details.retryAfter))));
  if (details.acceptedEncoding) reply.header('accept-encoding', details.acceptedEncoding);
  if (details.allow) reply.header('allow', details.allow.join(', '));
  const challenge = details.challenge ?? (status === 401 ? 'Bearer' : undefined);
  if (challenge !== undefined) reply.header('www-authenticate', challenge);
  const dialect = getDialect(getPath(request));
  if (dialect === 'messages') reply.header('request-id', request.id);
  reply.header('cache-control', 'no-store');
  return reply
    .code(status)
    .type('application/json')
    .serializer((body: object) => JSON.stringify(body))
    .send(toErrorBody(dialect, status, code, details, request.id));
}

/** Converts an error of a route to a response. An unknown error exposes only the request id. */
export function handleError(
  error: FastifyError | AppError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (error instanceof AppError) {
    if (error.cause !== undefined || statusByErrorCode[error.code] >= 500)
      request.log.warn({ err: error, ...getRouteFields(request) }, 'request failed: dependency error');
    return sendErrorResponse(request, reply, error.code, error.details);
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    return sendErrorResponse(request, reply, 'INVALID_REQUEST', { issues: error.validation.map(toIssue) });
  }
  const clientError = isResponseSerializationError(error) ? undefined : toClientError(error);
  if (clientError) return sendErrorResponse(request, reply, ...clientError);
  // Guards and row-level security accepted the member a moment ago, and the member was deleted since.
  if (isDeletedMemberError(error)) return sendErrorResponse(request, reply, 'UNAUTHENTICATED');
  if (TRANSIENT_SQLSTATES.test(error.code) || isLostWorkerError(error)) {
    request.log.warn({ err: error, ...getRouteFields(request) }, 'request failed: dependency error');
    return sendErrorResponse(request, reply, 'UNAVAILABLE', { retryAfter: isDatabaseDiskFull(error) ? 60 : 2 });
  }
  // A client that leaves ends the stream of its response, which is no error of the service.
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE' || !request.raw.socket.destroyed)
    request.log.error({ err: error, ...getRouteFields(request) }, 'unexpected error');
  return sendErrorResponse(request, reply, 'INTERNAL');
}

/** Returns the fields by which lines of failed requests are grouped. The route contains no identifier or token. */
const getRouteFields = ({ method, routeOptions }: FastifyRequest) => ({ method, route: routeOptions.url ?? UNMATCHED });

/**
 * SQLSTATEs of statements that rolled back and may succeed on retry: connection lost, lost race, deadlock, timeout,
 * server full or shutting down. 08P01 is excluded, because a protocol error is a bug of ours.
 */
const TRANSIENT_SQLSTATES = /^(08(?!P01)...|25P0[34]|40001|40P01|53...|55P03|57014|57P0.)$/;

/**
 * Returns whether a foreign key found no member, because the identity provider deleted the member during the request.
 * The name of a shard of a distributed table ends with its number.
 */
const isDeletedMemberError = (error: { code?: string; detail?: unknown }): boolean =>
  error.code === '23503' && typeof error.detail === 'string' && /"all_users(_\d+)?"/.test(error.detail);

function toIssue(validationError: { instancePath: string; message?: string; params?: unknown }): Issue {
  const path = validationError.instancePath.split('/').filter(Boolean).join('.');
  return { path, message: validationError.message ?? 'is not valid' };
}

type ErrorResponseArgs = readonly [code: ErrorCode, details?: ErrorDetails];

const toInvalidRequest = (message: string): ErrorResponseArgs => [
  'INVALID_REQUEST',
  { issues: [{ path: '', message }] },
];

/** Client errors that Fastify detects before a route runs, by its error code. */
const CLIENT_ERROR_BY_CODE: Readonly<Record<string, ErrorResponseArgs>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE'],
  FST_ERR_ROUTE_MISSING_CONTENT_TYPE: ['UNSUPPORTED_MEDIA_TYPE'],
  FST_ERR_CTP_EMPTY_JSON_BODY: toInvalidRequest('the body is empty; send a JSON object'),
  FST_ERR_CTP_INVALID_JSON_BODY: toInvalidRequest('the body is not valid JSON'),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: toInvalidRequest('the body is not valid JSON'),
  FST_ERR_BAD_URL: ['NOT_FOUND'],
  FST_ERR_MAX_PARAM_LENGTH: ['NOT_FOUND'],
};

function toClientError({ code, statusCode = 500, message }: FastifyError): ErrorResponseArgs | undefined {
  return CLIENT_ERROR_BY_CODE[code] ?? (statusCode >= 400 && statusCode < 500 ? toInvalidRequest(message) : undefined);
}
