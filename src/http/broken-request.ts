import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { dialectOf, errorBody } from './error-body.ts';
import { requestIdFrom } from './request-id.ts';
import type { FailureCode } from '../errors.ts';

/**
 * A request that is no HTTP, or did not arrive in time, gets the house's error body too, in the dialect of its path as far as that has
 * been read; the connection ends. An answer that has begun is cut off rather than written into, and one that is complete gets no second.
 */
export function answerBrokenRequest(error: Error & { code?: string; rawPacket?: unknown }, socket: Socket): void {
  const { answering, isAnswered } = stateOf(socket);
  if (error.code === 'ECONNRESET' || !socket.writable || answering?.headersSent || isAnswered) return void socket.destroy();
  const { status, reason, code, message } = describe(error.code);
  const dialect = dialectOf(answering?.req.url ?? pathIn(error.rawPacket));
  const id = requestIdFrom(answering?.req.headers['x-request-id']);
  const body = JSON.stringify(errorBody(dialect, status, code, { message }, id));
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    `x-request-id: ${id}`,
    ...(dialect === 'messages' ? [`request-id: ${id}`] : []),
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** What the connection is about, where Node's own default handler looks it up too. */
function stateOf(socket: Socket): { answering: ServerResponse | null | undefined; isAnswered: boolean } {
  const { _httpMessage: answering, parser } = socket as Socket & { _httpMessage?: ServerResponse | null; parser?: { incoming: IncomingMessage | null } | null };
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
      return { status: 408, reason: 'Request Timeout', code: 'TIMEOUT', message: 'The request took too long to arrive.' };
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, reason: 'Request Header Fields Too Large', code: 'INVALID_REQUEST', message: 'The headers are larger than this server accepts.' };
    default:
      return { status: 400, reason: 'Bad Request', code: 'INVALID_REQUEST', message: 'This is not a valid HTTP request.' };
  }
}
