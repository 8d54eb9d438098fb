import type { IncomingMessage } from 'node:http';
import { CLIENT_CLOSED, type ApiErrorResult, apiError } from './api-result.ts';
import { type MemoryReservation, SEGMENT_BYTES } from './body-memory-budget.ts';

/** Maximum body size of the real API in bytes. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Bodies above this size in bytes are stored in shared memory, and counted by the worker pool. */
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
  const buffer = new BodyBuffer({ reservation, maxBytes, onLarge });
  const onData = (chunk: Buffer): void => {
    const error = buffer.add(chunk);
    if (!error) return;
    request.off('data', onData);
    resolve(error);
  };
  request.on('data', onData);
  request.on('end', () => resolve(buffer.finish()));
  // This has no effect if the body is complete or rejected.
  request.on('close', () => resolve(CLIENT_CLOSED));
  return promise;
}

/** Collects the chunks of a body. A small body stays in its chunks. A large one is copied into shared segments. */
class BodyBuffer {
  private readonly options: ReadOptions;
  private chunks: Buffer[] = [];
  private segments: Uint8Array[] | undefined;
  private length = 0;

  constructor(options: ReadOptions) {
    this.options = options;
  }

  /** Adds a chunk, or returns the error if the body is too large or if there is no room for it. */
  add(chunk: Buffer): ApiErrorResult | undefined {
    const newLength = this.length + chunk.length;
    if (newLength > this.options.maxBytes) return this.discard(bodyTooLargeError(this.options.maxBytes));
    if (this.segments || newLength > LARGE_BODY_BYTES) {
      this.segments ??= this.startSegments();
      if (!this.copyToSegments(this.segments, [...this.chunks, chunk])) return this.discard(OVERLOADED);
      this.chunks = [];
    } else {
      this.chunks.push(chunk);
      this.length = newLength;
    }
    return undefined;
  }

  /** Returns the complete body. */
  finish(): Body {
    const { chunks, segments, length } = this;
    if (!segments) {
      const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      return { ok: true, size: 'small', bytes, length };
    }
    const usedBytes = length % SEGMENT_BYTES;
    if (usedBytes > 0) segments.push(segments.pop()!.subarray(0, usedBytes));
    return { ok: true, size: 'large', segments, length };
  }

  private discard(error: ApiErrorResult): ApiErrorResult {
    this.chunks = [];
    return error;
  }

  private startSegments(): Uint8Array[] {
    this.options.onLarge();
    this.length = 0;
    return [];
  }

  /** Copies chunks, because threads cannot read a socket's chunks. Returns whether there was room. */
  private copyToSegments(segments: Uint8Array[], chunks: readonly Buffer[]): boolean {
    for (const chunk of chunks) {
      for (let copied = 0; copied < chunk.length;) {
        const usedBytes = (this.length + copied) % SEGMENT_BYTES;
        if (usedBytes === 0) {
          const segment = this.options.reservation.allocateSegment();
          if (!segment) return false;
          segments.push(segment);
        }
        const bytes = Math.min(SEGMENT_BYTES - usedBytes, chunk.length - copied);
        segments.at(-1)!.set(chunk.subarray(copied, copied + bytes), usedBytes);
        copied += bytes;
      }
      this.length += chunk.length;
    }
    return true;
  }
}

function bodyTooLargeError(maxBytes: number): ApiErrorResult {
  const megabytes = Math.round(maxBytes / 1024 / 1024);
  return apiError(413, `Request exceeds the maximum allowed number of bytes: ${maxBytes} (${megabytes} MB).`);
}
