import type { IncomingMessage } from 'node:http';
import { CLIENT_CLOSED, type ApiErrorResult, apiError } from './api-result.ts';
import { type MemoryReservation, SEGMENT_BYTES } from './body-memory-budget.ts';

/** Maximum body size of the real API in bytes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Bodies above this size in bytes are counted by the worker pool. They are stored in shared memory. */
const LARGE_BODY_BYTES = 256 * 1024;

/** Returns the largest accepted body in bytes. `capacity` is the body memory of one organization in bytes. */
export const getMaxBodyBytes = (capacity: number): number =>
  Math.min(MAX_BODY_BYTES, capacity - (capacity % SEGMENT_BYTES));

export const OVERLOADED = apiError(
  529,
  'The server is busy with other requests; try again in a moment.',
  'retry-after',
  '1',
);

/** A complete body: a small one in one buffer, a large one in segments that its reservation owns. */
export type Body = { ok: true; length: number } & (
  | { size: 'small'; bytes: Buffer }
  | { size: 'large'; segments: Uint8Array[] }
);

interface ReadOptions {
  reservation: MemoryReservation;
  /** Maximum body size in bytes. */
  maxBytes: number;
  /** Called once, as soon as the body exceeds the size of a small one. */
  onLarge: () => void;
}

/**
 * Reads a body from the stream, independent of its length header. Returns 413 if it is too large, and 529 if there is
 * no room. The remaining bytes are then discarded.
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
  // This has no effect if the body is complete or rejected.
  request.on('close', () => resolve(CLIENT_CLOSED));
  return promise;
}

function bodyTooLargeError(maxBytes: number): ApiErrorResult {
  const megabytes = Math.round(maxBytes / 1024 / 1024);
  return apiError(413, `Request exceeds the maximum allowed number of bytes: ${maxBytes} (${megabytes} MB).`);
}

/**
 * Copies a chunk to position `length` of the segments, because threads cannot read a socket's chunk. Returns whether
 * there was room.
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
