import { totalmem } from 'node:os';

export const SEGMENT_BYTES = 1024 * 1024;
/** Segments kept for the next bodies, two of the largest. */
const MAX_FREE = 64;

const MB = 1024 * 1024;

/** What the process takes without any body, the embedded database and both counting threads included. */
const AT_REST_BYTES = 300 * MB;
/** A body and what counting makes of it, for each of its bytes: of 31.5 MB, 192 MB were measured in a thread. */
const BYTES_EACH = 7;
/** The most, 16 of the largest bodies; and the least, with which a body of 8 MB is still counted. */
const BUDGET = { most: 512 * MB, least: 16 * MB };

/**
 * How many bytes of bodies a process with `memory` bytes (its container's limit or the machine's) may hold at a time.
 * With 8 bodies of 31.5 MB at once a process without such a bound was ended by a limit of 500 MB.
 */
export function bodyBudgetBytes(memory: number): number {
  return Math.round(Math.min(BUDGET.most, Math.max(BUDGET.least, (memory - AT_REST_BYTES) / BYTES_EACH)));
}

/** What this process may take: the limit of its container where it has one, else what the machine has. */
export function memoryLimit(): number {
  // Without a limit some kernels say zero, others a number beyond any machine.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** What one request's body is charged to. */
export interface BodyAccount {
  /** Whether there is room for so many bytes more. */
  take(bytes: number): boolean;
  /** A segment to write into, `undefined` where there is no room; it holds what older bodies left in it. */
  lend(): Uint8Array | undefined;
  /** Gives back everything taken and lent; once is enough, more does no harm. */
  close(): void;
}

/**
 * Memory of large bodies that are arriving or waiting, over all requests; one organisation gets at most half of it. Its
 * segments are shared with the counting threads and used again: with fresh ones for each body the p99 of small requests
 * beside 32 MB bodies was 7–21 times theirs alone, with these, and the threads at a lower priority, 5–8 times.
 */
export class BodyBudget {
  /** The most that one organisation may hold, in bytes, and so the largest body that there is ever room for. */
  readonly most: number;
  private readonly bytes: number;
  private left: number;
  private readonly held = new Map<string, number>();
  private readonly free: Uint8Array[] = [];

  constructor(bytes: number) {
    this.bytes = bytes;
    this.left = bytes;
    this.most = bytes / 2;
  }

  /** Bytes that are held now, and the most that may be. */
  figures(): { held: number; most: number } {
    return { held: this.bytes - this.left, most: this.bytes };
  }

  open(organisation: string): BodyAccount {
    let taken = 0;
    let lent: Uint8Array[] = [];
    const take = (bytes: number): boolean => {
      const held = this.held.get(organisation) ?? 0;
      if (bytes > this.left || held + bytes > this.most) return false;
      this.left -= bytes;
      this.held.set(organisation, held + bytes);
      taken += bytes;
      return true;
    };
    return {
      take,
      lend: () => {
        if (!take(SEGMENT_BYTES)) return undefined;
        const segment = this.free.pop() ?? new Uint8Array(new SharedArrayBuffer(SEGMENT_BYTES));
        lent.push(segment);
        return segment;
      },
      close: () => {
        for (const segment of lent) if (this.free.length < MAX_FREE) this.free.push(segment);
        lent = [];
        const held = (this.held.get(organisation) ?? 0) - taken;
        this.left += taken;
        taken = 0;
        if (held > 0) this.held.set(organisation, held);
        else this.held.delete(organisation);
      },
    };
  }
}
