import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { getDialect, toErrorBody } from './error-body.ts';
import { toRequestId } from './request-id.ts';
import { JSON_HEADERS } from './security-headers.ts';
import type { ErrorCode } from '../../errors.ts';

/**
 * Responds to input that is not HTTP, or to a request that timed out, with the error body of its path's dialect, and
 * closes the connection. A response that has started is cut off. After a complete response nothing is sent.
 */
export function handleClientError(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  const { pendingResponse, hasResponded } = getConnectionState(socket);
  if (error.code === 'ECONNRESET' || !socket.writable || pendingResponse?.headersSent || hasResponded) {
    socket.destroy();
    return;
  }
  const malformedError = ERROR_BY_NODE_CODE[error.code ?? ''] ?? INVALID_HTTP;
  const { url = parsePath(error.rawPacket), headers: requestHeaders } = pendingResponse?.req ?? {};
  const { headers, body } = buildErrorResponse(url, requestHeaders?.['x-request-id'], malformedError);
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const responseHead = [`HTTP/1.1 ${malformedError.status} ${STATUS_CODES[malformedError.status]}`, ...headerLines];
  socket.end(`${responseHead.join('\r\n')}\r\n\r\n${body}`);
}

/** Responds to an unknown expectation with an error body, because Node would send none. */
export function rejectExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) =>
    rejectRequest(request, response, 417, 'The only supported expectation is 100-continue; omit the expect header.'),
  );
}

/** Headers for the host and the caller's credentials. Each may occur once. */
const SINGLE_HEADERS = ['host', 'authorization', 'x-api-key'];

/**
 * Responds 400 to an HTTP/1.1 request without a host header, and to any request that repeats a header of
 * `SINGLE_HEADERS`. A proxy in front may have read the other value. Returns whether the request was rejected. Node's
 * own host check must be off.
 */
export function rejectAmbiguousHeaders(request: IncomingMessage, response: ServerResponse): boolean {
  const seenHeaders = new Set<string>();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]!.toLowerCase();
    if (!SINGLE_HEADERS.includes(name)) continue;
    if (seenHeaders.has(name)) {
      rejectRequest(request, response, 400, `The request has several ${name} headers; send one.`);
      return true;
    }
    seenHeaders.add(name);
  }
  if (seenHeaders.has('host') || request.httpVersion !== '1.1') return false;
  rejectRequest(request, response, 400, 'The request has no host header; HTTP/1.1 requires one.');
  return true;
}

/** Responds 429 to a request that a client sent before the responses to many others, and closes the connection. */
export function rejectPipelinedRequest(request: IncomingMessage, response: ServerResponse): void {
  const message = 'This connection has too many requests in progress; wait for their responses.';
  rejectRequest(request, response, 429, message, 'RATE_LIMITED');
}

function rejectRequest(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  message: string,
  code: ErrorCode = 'INVALID_REQUEST',
): void {
  const malformedError = { status, code, message };
  const { headers, body } = buildErrorResponse(request.url ?? '', request.headers['x-request-id'], malformedError);
  response.writeHead(status, headers).end(body);
}

/** Builds the response to a request that no route receives. The response closes the connection. */
function buildErrorResponse(
  path: string,
  requestId: string | string[] | undefined,
  { status, code, message }: MalformedRequestError,
) {
  const dialect = getDialect(path);
  const id = toRequestId(requestId);
  const body = JSON.stringify(toErrorBody(dialect, status, code, { message }, id));
  const headers: Record<string, string> = {
    ...JSON_HEADERS,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
    ...(dialect === 'messages' && { 'request-id': id }),
    ...(status === 429 && { 'retry-after': '1' }),
    connection: 'close',
  };
  return { headers, body };
}

/** Returns the pending request and response of a connection, from the property that Node's default handler uses. */
function getConnectionState(socket: Socket): {
  pendingResponse: ServerResponse | null | undefined;
  hasResponded: boolean;
} {
  const { _httpMessage: pendingResponse, parser } = socket as Socket & {
    _httpMessage?: ServerResponse | null;
    parser?: { incoming: IncomingMessage | null } | null;
  };
  const incoming = parser?.incoming;
  // An error response may be complete while the rejected body is still being received.
  return { pendingResponse, hasResponded: !pendingResponse && incoming != null && !incoming.complete };
}

/** Parses the path of the request line in an unreadable packet. */
function parsePath(packet: unknown): string {
  return (Buffer.isBuffer(packet) && /^[A-Z]+ (\/[^ ?\r\n]*)/.exec(packet.toString('latin1', 0, 200))?.[1]) || '';
}

interface MalformedRequestError {
  status: number;
  code: ErrorCode;
  message: string;
}

/** Errors by Node's error code. */
const ERROR_BY_NODE_CODE: Readonly<Record<string, MalformedRequestError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'TIMEOUT', message: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'INVALID_REQUEST',
    message: 'The headers are larger than this server accepts.',
  },
};
const INVALID_HTTP: MalformedRequestError = {
  status: 400,
  code: 'INVALID_REQUEST',
  message: 'This is not a valid HTTP request.',
};
