import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { dialectOf, errorBody } from './error-body.ts';
import { requestIdFrom } from './request-id.ts';
import { JSON_HEADERS } from './security-headers.ts';
import type { FailureCode } from '../errors.ts';

/**
 * A request that is no HTTP, or did not arrive in time, gets the house's error body too, in the dialect of its path as
 * far as that has been read; the connection ends. An answer that has begun is cut off rather than written into, and one
 * that is complete gets no second.
 */
export function answerBrokenRequest(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  const { answering, isAnswered } = stateOf(socket);
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent || isAnswered)
    return void socket.destroy();
  const { status, reason, code, message } = describe(error.code);
  const { headers, body } = refusal(
    answering?.req.url ?? pathIn(error.rawPacket),
    answering?.req.headers['x-request-id'],
    { status, code, message },
  );
  const head = [`HTTP/1.1 ${status} ${reason}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** Has the house refuse in its own words what Node would answer by itself, without a body: an expectation that it
 * does not know. */
export function answerExpectations(server: Server): void {
  server.on('checkExpectation', (request, response) =>
    refuse(request, response, 417, 'This server meets no expectation but 100-continue; leave the expect header out.'),
  );
}

/** Refuses a request without a host, which HTTP/1.1 demands; `false` where it has one. Node's own check is to be off. */
export function refuseWithoutHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false;
  refuse(request, response, 400, 'The request has no host header; HTTP/1.1 demands one.');
  return true;
}

function refuse(request: IncomingMessage, response: ServerResponse, status: number, message: string): void {
  const { headers, body } = refusal(request.url ?? '', request.headers['x-request-id'], {
    status,
    code: 'INVALID_REQUEST',
    message,
  });
  response.writeHead(status, headers).end(body);
}

/** The answer to a request that no route sees; the connection ends with it. */
function refusal(
  path: string,
  asked: string | string[] | undefined,
  { status, code, message }: { status: number; code: FailureCode; message: string },
): { headers: Record<string, string>; body: string } {
  const dialect = dialectOf(path);
  const id = requestIdFrom(asked);
  const body = JSON.stringify(errorBody(dialect, status, code, { message }, id));
  const headers = {
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

function describe(code: string | undefined): { status: number; reason: string; code: FailureCode; message: string } {
  switch (code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return {
        status: 408,
        reason: 'Request Timeout',
        code: 'TIMEOUT',
        message: 'The request took too long to arrive.',
      };
    case 'HPE_HEADER_OVERFLOW':
      return {
        status: 431,
        reason: 'Request Header Fields Too Large',
        code: 'INVALID_REQUEST',
        message: 'The headers are larger than this server accepts.',
      };
    default:
      return {
        status: 400,
        reason: 'Bad Request',
        code: 'INVALID_REQUEST',
        message: 'This is not a valid HTTP request.',
      };
  }
}
