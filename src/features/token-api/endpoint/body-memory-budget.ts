import { totalmem } from 'node:os';

export const SEGMENT_BYTES = 1024 * 1024;
/** Maximum number of free segments that are reused, enough for two of the largest bodies. */
const MAX_FREE_SEGMENTS = 64;

const MB = 1024 * 1024;

/** Memory of the process without any body, including the embedded database and both counting threads. */
const BASELINE_BYTES = 300 * MB;
/** Memory for each byte of a body while it is counted. A body of 31.5 MB took 192 MB in a thread. */
const MEMORY_PER_BODY_BYTE = 7;
/** Maximum: 16 of the largest bodies. Minimum: enough to count a body of 8 MB. */
const BUDGET_BYTES = { max: 512 * MB, min: 16 * MB };

/**
 * Returns how many bytes of bodies a process may hold at a time. `memory` is the limit of its container or the memory
 * of the machine in bytes. Without this budget, 8 bodies of 31.5 MB exceeded a limit of 500 MB.
 */
export function computeBodyBudgetBytes(memory: number): number {
  return Math.round(
    Math.min(BUDGET_BYTES.max, Math.max(BUDGET_BYTES.min, (memory - BASELINE_BYTES) / MEMORY_PER_BODY_BYTE)),
  );
}

/**
 * Returns the memory in bytes that this process may use: the limit of its container, or else the memory of the machine.
 */
export function getMemoryLimit(): number {
  // If there is no limit, some kernels return 0 and others a number larger than any machine.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** The memory that the body of one request uses. */
export interface MemoryReservation {
  /** Reserves bytes, and returns whether there was room. */
  tryReserve(bytes: number): boolean;
  /**
   * Returns a segment to write into, or `undefined` if there is no room. The segment may contain bytes of earlier
   * bodies.
   */
  allocateSegment(): Uint8Array | undefined;
  /** Frees all reserved bytes and segments. May be called repeatedly. */
  release(): void;
}

/**
 * Memory of large bodies that are being received, queued or counted, for all requests. One organization may use at most
 * half. Segments are shared with the counting threads and reused. With new segments per body, 32 MB bodies raised the
 * p99 of small requests 7–21 times. With reused segments and low-priority threads the factor is 5–8.
 */
export class BodyMemoryBudget {
  /** Maximum bytes of one organization, and thus the largest body that can be accepted. */
  readonly maxBytesPerOrganisation: number;
  private readonly bytes: number;
  private availableBytes: number;
  private readonly reservedByOrganisation = new Map<string, number>();
  private readonly freeSegments: Uint8Array[] = [];

  constructor(bytes: number) {
    this.bytes = bytes;
    this.availableBytes = bytes;
    this.maxBytesPerOrganisation = bytes / 2;
  }

  /** Returns the bytes in use and the maximum. */
  getUsage(): { reserved: number; max: number } {
    return { reserved: this.bytes - this.availableBytes, max: this.bytes };
  }

  createReservation(organisation: string): MemoryReservation {
    let reservedBytes = 0;
    let allocatedSegments: Uint8Array[] = [];
    const tryReserve = (bytes: number): boolean => {
      const reserved = this.reservedByOrganisation.get(organisation) ?? 0;
      if (bytes > this.availableBytes || reserved + bytes > this.maxBytesPerOrganisation) return false;
      this.availableBytes -= bytes;
      this.reservedByOrganisation.set(organisation, reserved + bytes);
      reservedBytes += bytes;
      return true;
    };
    return {
      tryReserve,
      allocateSegment: () => {
        if (!tryReserve(SEGMENT_BYTES)) return undefined;
        const segment = this.freeSegments.pop() ?? new Uint8Array(new SharedArrayBuffer(SEGMENT_BYTES));
        allocatedSegments.push(segment);
        return segment;
      },
      release: () => {
        for (const segment of allocatedSegments)
          if (this.freeSegments.length < MAX_FREE_SEGMENTS) this.freeSegments.push(segment);
        allocatedSegments = [];
        const reserved = (this.reservedByOrganisation.get(organisation) ?? 0) - reservedBytes;
        this.availableBytes += reservedBytes;
        reservedBytes = 0;
        if (reserved > 0) this.reservedByOrganisation.set(organisation, reserved);
        else this.reservedByOrganisation.delete(organisation);
      },
    };
  }
}
