import { type ErrorCode, type ErrorDetails, errorMessages, type Issue } from '../../errors.ts';

/** Shape of error bodies. Each family of paths uses the shape of its clients. */
type ErrorDialect = 'api' | 'messages' | 'identity';

/** Paths that clients of the Messages API call, also if their base URL ends with a slash or lacks `/v1`. */
const MESSAGES_PATH = /^\/+(?:v1|messages)(?:\/|$)/;

/** Returns the dialect of a path: the Messages API's, the identity provider's for `/_idp`, otherwise `api`. */
export function getDialect(path: string): ErrorDialect {
  if (MESSAGES_PATH.test(path)) return 'messages';
  if (path.startsWith('/_idp/') || path === '/_idp') return 'identity';
  return 'api';
}

/** The Messages API's error types by status. All other statuses are `api_error`. */
const MESSAGES_ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  405: 'invalid_request_error',
  408: 'timeout_error',
  413: 'request_too_large',
  415: 'invalid_request_error',
  417: 'invalid_request_error',
  429: 'rate_limit_error',
  431: 'invalid_request_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** Returns `{ type: "error", error: { type, message }, request_id }`, the error body of `/v1`. */
export function toMessagesErrorBody(status: number, message: string, requestId: string) {
  return {
    type: 'error',
    error: { type: MESSAGES_ERROR_TYPES[status] ?? 'api_error', message },
    request_id: requestId,
  };
}

const formatIssues = (issues: readonly Issue[]): string =>
  issues.map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`)).join('; ');

/** Returns the error body in the dialect of its path. */
export function toErrorBody(
  dialect: ErrorDialect,
  status: number,
  code: ErrorCode,
  details: ErrorDetails,
  requestId: string,
): object {
  const message = details.message ?? errorMessages[code];
  const longMessage = details.issues?.length ? formatIssues(details.issues) : message;
  if (dialect === 'messages') return toMessagesErrorBody(status, longMessage, requestId);
  if (dialect === 'identity')
    return {
      errors: [{ message, long_message: longMessage, code: IDENTITY_ERROR_CODES[code] ?? code.toLowerCase() }],
      clerk_trace_id: requestId,
    };
  if (details.exactBody) return { code, ...details.body };
  return {
    code,
    message,
    ...(details.issues && { issues: details.issues }),
    ...(code === 'INTERNAL' && { request_id: requestId }),
    ...details.body,
  };
}

/** Error codes that the hosted provider documents for these cases. */
const IDENTITY_ERROR_CODES: Partial<Record<ErrorCode, string>> = {
  INVALID_REQUEST: 'form_param_format_invalid',
  UNAUTHENTICATED: 'authentication_invalid',
  NOT_FOUND: 'resource_not_found',
  RATE_LIMITED: 'too_many_requests',
  INTERNAL: 'internal_clerk_error',
};
