import { type FailureCode, type FailureDetails, failureMessages, type Issue } from '../../errors.ts';

/** Each family of paths answers failures in the shape that its clients know. */
type Dialect = 'api' | 'messages' | 'identity';

/** `/v1` speaks like the Messages API, `/_idp` like the identity provider, everything else like `/api`. */
export function dialectOf(path: string): Dialect {
  if (path.startsWith('/v1/') || path === '/v1') return 'messages';
  if (path.startsWith('/_idp/') || path === '/_idp') return 'identity';
  return 'api';
}

/** The Messages API's names for statuses; what it does not name is `api_error`. */
const messagesType: Record<number, string> = {
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

/** `{ type: "error", error: { type, message }, request_id }`, the error body of `/v1`. */
export function messagesErrorBody(status: number, message: string, requestId: string) {
  return { type: 'error', error: { type: messagesType[status] ?? 'api_error', message }, request_id: requestId };
}

const inWords = (issues: readonly Issue[]): string =>
  issues.map((issue) => (issue.path === '' ? issue.message : `${issue.path}: ${issue.message}`)).join('; ');

/** The body of a failure in the dialect of its path. */
export function errorBody(
  dialect: Dialect,
  status: number,
  code: FailureCode,
  details: FailureDetails,
  requestId: string,
): object {
  const message = details.message ?? failureMessages[code];
  const long = details.issues?.length ? inWords(details.issues) : message;
  if (dialect === 'messages') return messagesErrorBody(status, long, requestId);
  if (dialect === 'identity')
    return {
      errors: [{ message, long_message: long, code: identityCode[code] ?? code.toLowerCase() }],
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

/** The hosted provider's own codes where it documents one for the case. */
const identityCode: Partial<Record<FailureCode, string>> = {
  INVALID_REQUEST: 'form_param_format_invalid',
  UNAUTHENTICATED: 'authentication_invalid',
  NOT_FOUND: 'resource_not_found',
  RATE_LIMITED: 'too_many_requests',
  INTERNAL: 'internal_clerk_error',
};
