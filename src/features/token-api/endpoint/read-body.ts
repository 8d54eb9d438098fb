import type { IncomingMessage } from 'node:http';
import { CLIENT_CLOSED, type ApiErrorResult, apiError } from './api-result.ts';
import { type MemoryReservation, SEGMENT_BYTES } from './body-memory-budget.ts';

/** The real service's limit. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Larger bodies are counted by the worker pool; they are gathered in memory that its threads can read too. */
const LARGE_BODY_BYTES = 256 * 1024;

/** The largest body that a process with this much room for one organisation's bodies takes, in bytes. */
export const getMaxBodyBytes = (capacity: number): number =>
  Math.min(MAX_BODY_BYTES, capacity - (capacity % SEGMENT_BYTES));

export const OVERLOADED = apiError(
  529,
  'The server is busy with other requests; try again in a moment.',
  'retry-after',
  '1',
);

/** A body that arrived whole: a small one as it came, a large one in segments that are charged to its account. */
export type Body = { ok: true; length: number } & (
  | { size: 'small'; bytes: Buffer }
  | { size: 'large'; segments: Uint8Array[] }
);

interface ReadOptions {
  reservation: MemoryReservation;
  /** Bytes that the body may have. */
  maxBytes: number;
  /** Called once, early, when the body turns out to be a large one. */
  onLarge: () => void;
}

/**
 * Reads a body while it streams in, whatever its length header says. Refuses with 413 once it is too large, with 529
 * where there is no room for it; what still arrives then is discarded.
 */
export function readBody(
  request: IncomingMessage,
  { reservation, maxBytes, onLarge }: ReadOptions,
): Body | ApiErrorResult | Promise<Body | ApiErrorResult> {
  const declaredLength = request.headers['content-length'];
  if (declaredLength !== undefined && Number(declaredLength) > maxBytes) return bodyTooLargeError(maxBytes);
  if (request.destroyed) return CLIENT_CLOSED;
  if (request.complete && request.readableLength <= Math.min(maxBytes, LARGE_BODY_BYTES)) {
    const bytes = (request.read() as Buffer | null) ?? Buffer.alloc(0);
    return { ok: true, size: 'small', bytes, length: bytes.length };
  }
  const { promise, resolve } = Promise.withResolvers<Body | ApiErrorResult>();
  let chunks: Buffer[] = [];
  let segments: Uint8Array[] | undefined;
  let length = 0;

  const onData = (chunk: Buffer): void => {
    if (length + chunk.length > maxBytes) return rejectBody(bodyTooLargeError(maxBytes));
    if (!segments && length + chunk.length <= LARGE_BODY_BYTES) {
      chunks.push(chunk);
      length += chunk.length;
      return;
    }
    const pendingChunks = [...chunks, chunk];
    if (!segments) {
      onLarge();
      chunks = [];
      segments = [];
      length = 0;
    }
    for (const pendingChunk of pendingChunks) {
      if (!appendChunk(pendingChunk, segments, length, reservation)) return rejectBody(OVERLOADED);
      length += pendingChunk.length;
    }
  };
  const rejectBody = (error: ApiErrorResult): void => {
    request.off('data', onData);
    chunks = [];
    resolve(error);
  };
  request.on('data', onData);
  request.on('end', () => {
    if (!segments) {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      return resolve({ ok: true, size: 'small', bytes, length });
    }
    const usedBytes = length % SEGMENT_BYTES;
    if (usedBytes > 0) segments.push(segments.pop()!.subarray(0, usedBytes));
    resolve({ ok: true, size: 'large', segments, length });
  });
  // Without effect once the body is read or refused.
  request.on('close', () => resolve(CLIENT_CLOSED));
  return promise;
}

function bodyTooLargeError(maxBytes: number): ApiErrorResult {
  const megabytes = Math.round(maxBytes / 1024 / 1024);
  return apiError(413, `Request exceeds the maximum allowed number of bytes: ${maxBytes} (${megabytes} MB).`);
}

/**
 * Copies a chunk behind the first `length` bytes of the segments: another thread can read those, a socket's chunk it
 * cannot. Returns whether there was room for it.
 */
function appendChunk(chunk: Buffer, segments: Uint8Array[], length: number, reservation: MemoryReservation): boolean {
  for (let copied = 0; copied < chunk.length;) {
    const usedBytes = (length + copied) % SEGMENT_BYTES;
    if (usedBytes === 0) {
      const segment = reservation.allocateSegment();
      if (!segment) return false;
      segments.push(segment);
    }
    const bytes = Math.min(SEGMENT_BYTES - usedBytes, chunk.length - copied);
    segments.at(-1)!.set(chunk.subarray(copied, copied + bytes), usedBytes);
    copied += bytes;
  }
  return true;
}
