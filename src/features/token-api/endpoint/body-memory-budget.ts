import { totalmem } from 'node:os';

export const SEGMENT_BYTES = 1024 * 1024;
/** Segments kept for the next bodies, two of the largest. */
const MAX_FREE_SEGMENTS = 64;

const MB = 1024 * 1024;

/** What the process takes without any body, the embedded database and both counting threads included. */
const BASELINE_BYTES = 300 * MB;
/** A body and what counting makes of it, for each of its bytes: of 31.5 MB, 192 MB were measured in a thread. */
const MEMORY_PER_BODY_BYTE = 7;
/** The most, 16 of the largest bodies; and the least, with which a body of 8 MB is still counted. */
const BUDGET_BYTES = { max: 512 * MB, min: 16 * MB };

/**
 * How many bytes of bodies a process with `memory` bytes (its container's limit or the machine's) may hold at a time.
 * With 8 bodies of 31.5 MB at once a process without such a bound was ended by a limit of 500 MB.
 */
export function computeBodyBudgetBytes(memory: number): number {
  return Math.round(
    Math.min(BUDGET_BYTES.max, Math.max(BUDGET_BYTES.min, (memory - BASELINE_BYTES) / MEMORY_PER_BODY_BYTE)),
  );
}

/** What this process may take: the limit of its container where it has one, else what the machine has. */
export function getMemoryLimit(): number {
  // Without a limit some kernels say zero, others a number beyond any machine.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** What one request's body is charged to. */
export interface MemoryReservation {
  /** Whether there is room for so many bytes more. */
  tryReserve(bytes: number): boolean;
  /** A segment to write into, `undefined` where there is no room; it holds what older bodies left in it. */
  allocateSegment(): Uint8Array | undefined;
  /** Gives back everything taken and lent; once is enough, more does no harm. */
  release(): void;
}

/**
 * Memory of large bodies that are arriving or waiting, over all requests; one organisation gets at most half of it. Its
 * segments are shared with the counting threads and used again: with fresh ones for each body the p99 of small requests
 * beside 32 MB bodies was 7–21 times theirs alone, with these, and the threads at a lower priority, 5–8 times.
 */
export class BodyMemoryBudget {
  /** The most that one organisation may hold, in bytes, and so the largest body that there is ever room for. */
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

  /** Bytes that are held now, and the most that may be. */
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
