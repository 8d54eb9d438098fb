import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { dialectOf, errorBody } from './error-body.ts';
import { requestIdFrom } from './request-id.ts';
import { JSON_HEADERS } from './security-headers.ts';
import type { FailureCode } from '../../errors.ts';

/**
 * Answers a request that is no HTTP, or did not arrive in time, with the error body of its path's dialect and ends the
 * connection. An answer that has begun is cut off rather than written into; a complete one gets no second.
 */
export function answerBrokenRequest(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  const { answering, isAnswered } = stateOf(socket);
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent || isAnswered)
    return void socket.destroy();
  const refused = refusals[error.code ?? ''] ?? NO_HTTP;
  const { url = pathIn(error.rawPacket), headers: sent } = answering?.req ?? {};
  const { headers, body } = refusal(url, sent?.['x-request-id'], refused);
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status]}`, ...fields];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Answers an unknown expectation with an error body, where Node itself would send none. */
export function answerExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) =>
    refuse(request, response, 417, 'This server meets no expectation but 100-continue; leave the expect header out.'),
  );
}

/** Headers that name the host or the caller's credentials; each may be sent once. */
const SINGLE_HEADERS = ['host', 'authorization', 'x-api-key'];

/**
 * Answers 400 to an HTTP/1.1 request without a host header, and to any request that repeats a header of
 * `SINGLE_HEADERS`. A proxy in front may have read the other value. Returns whether the request was refused. Node's own
 * host check must be off.
 */
export function refuseAmbiguousHeaders(request: IncomingMessage, response: ServerResponse): boolean {
  const seen = new Set<string>();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]!.toLowerCase();
    if (!SINGLE_HEADERS.includes(name)) continue;
    if (seen.has(name)) {
      refuse(request, response, 400, `The request has several ${name} headers; send one.`);
      return true;
    }
    seen.add(name);
  }
  if (seen.has('host') || request.httpVersion !== '1.1') return false;
  refuse(request, response, 400, 'The request has no host header; HTTP/1.1 demands one.');
  return true;
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  const refused = { status, code: 'INVALID_REQUEST', message } as const;
  const { headers, body } = refusal(request.url ?? '', request.headers['x-request-id'], refused);
  response.writeHead(status, headers).end(body);
}

/** The answer to a request that no route sees; the connection ends with it. */
function refusal(path: string, requestId: string | string[] | undefined, { status, code, message }: Refusal) {
  const dialect = dialectOf(path);
  const id = requestIdFrom(requestId);
  const body = JSON.stringify(errorBody(dialect, status, code, { message }, id));
  const headers: Record<string, string> = {
    ...JSON_HEADERS,
    'content-length': String(Buffer.byteLength(body)),
    'x-request-id': id,
    ...(dialect === 'messages' && { 'request-id': id }),
    connection: 'close',
  };
  return { headers, body };
}

/** What the connection is about, where Node's own default handler looks it up too. */
function stateOf(socket: Socket): { answering: ServerResponse | null | undefined; isAnswered: boolean } {
  const { _httpMessage: answering, parser } = socket as Socket & {
    _httpMessage?: ServerResponse | null;
    parser?: { incoming: IncomingMessage | null } | null;
  };
  const reading = parser?.incoming;
  // A refusal may be complete while the body it refuses still arrives.
  return { answering, isAnswered: !answering && reading != null && !reading.complete };
}

/** The path of the request line that what could not be read begins with. */
function pathIn(packet: unknown): string {
  return (Buffer.isBuffer(packet) && /^[A-Z]+ (\/[^ ?\r\n]*)/.exec(packet.toString('latin1', 0, 200))?.[1]) || '';
}

interface Refusal {
  status: number;
  code: FailureCode;
  message: string;
}

/** By Node's own code. */
const refusals: Readonly<Record<string, Refusal>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'TIMEOUT', message: 'The request took too long to arrive.' },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'INVALID_REQUEST',
    message: 'The headers are larger than this server accepts.',
  },
};
const NO_HTTP: Refusal = { status: 400, code: 'INVALID_REQUEST', message: 'This is not a valid HTTP request.' };
