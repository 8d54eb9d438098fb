import type { IncomingMessage } from 'node:http';

export const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Larger bodies are counted by the worker pool; they are gathered in pieces that can be handed over without a copy. */
export const LARGE_BODY_BYTES = 256 * 1024;
const SEGMENT_BYTES = 1024 * 1024;

/** What one request's body is charged to. */
export interface BodyAccount {
  /** Whether there is room for so many bytes more. */
  take(bytes: number): boolean;
  /** Gives back everything taken; once is enough, more does no harm. */
  close(): void;
}

/**
 * Bytes of large bodies that are arriving or waiting, over all requests: the bound on what clients can make us hold. One
 * organisation gets at most half of it, so that no one can keep the others out with bodies that never end.
 */
export class BodyBudget {
  private left: number;
  private readonly most: number;
  private readonly held = new Map<string, number>();

  constructor(bytes: number) {
    this.left = bytes;
    this.most = bytes / 2;
  }

  open(organisation: string): BodyAccount {
    let taken = 0;
    return {
      take: (bytes) => {
        const held = this.held.get(organisation) ?? 0;
        if (bytes > this.left || held + bytes > this.most) return false;
        this.left -= bytes;
        this.held.set(organisation, held + bytes);
        taken += bytes;
        return true;
      },
      close: () => {
        const held = (this.held.get(organisation) ?? 0) - taken;
        this.left += taken;
        taken = 0;
        if (held > 0) this.held.set(organisation, held);
        else this.held.delete(organisation);
      },
    };
  }
}

/** How the reading of a body ended; exactly one of these is called. */
export interface BodyEnd {
  small(bytes: Buffer): void;
  /** What `segments` hold is still charged to the account; whoever takes them closes it. */
  large(segments: Uint8Array[], bytes: number): void;
  tooLarge(): void;
  noRoom(): void;
  /** The client went away. */
  aborted(): void;
}

/**
 * Reads a body while it streams in, within the limit whatever its length header says. `onLarge` is told once, early, when it
 * turns out to be a large one.
 */
export function readBody(request: IncomingMessage, account: BodyAccount, end: BodyEnd, onLarge: () => void): void {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > MAX_BODY_BYTES) return end.tooLarge();
  let chunks: Buffer[] = [];
  let bytes = 0;
  let segments: Uint8Array[] | undefined;
  let over = false;

  const finish = (how: () => void): void => {
    if (over) return;
    over = true;
    request.off('data', onData);
    chunks = [];
    how();
  };
  const giveUp = (how: () => void): void => {
    if (!over) account.close();
    finish(how);
  };

  /** Copies into segments of our own: their memory can be handed to another thread, that of a socket's chunk cannot. */
  const append = (chunk: Buffer): boolean => {
    const list = (segments ??= []);
    let copied = 0;
    while (copied < chunk.length) {
      const used = (bytes + copied) % SEGMENT_BYTES;
      if (used === 0) {
        if (!account.take(SEGMENT_BYTES)) return false;
        list.push(new Uint8Array(SEGMENT_BYTES));
      }
      const room = Math.min(SEGMENT_BYTES - used, chunk.length - copied);
      list.at(-1)!.set(chunk.subarray(copied, copied + room), used);
      copied += room;
    }
    return true;
  };

  const onData = (chunk: Buffer): void => {
    if (bytes + chunk.length > MAX_BODY_BYTES) return giveUp(end.tooLarge);
    if (!segments && bytes + chunk.length <= LARGE_BODY_BYTES) {
      chunks.push(chunk);
      bytes += chunk.length;
      return;
    }
    if (!segments) {
      onLarge();
      const held = chunks;
      chunks = [];
      bytes = 0;
      for (const part of held) {
        if (!append(part)) return giveUp(end.noRoom);
        bytes += part.length;
      }
    }
    if (!append(chunk)) return giveUp(end.noRoom);
    bytes += chunk.length;
  };

  request.on('data', onData);
  request.on('end', () => {
    if (segments) {
      const list = segments;
      const last = bytes % SEGMENT_BYTES;
      if (last > 0) list.push(list.pop()!.subarray(0, last));
      return finish(() => end.large(list, bytes));
    }
    const held = chunks;
    finish(() => end.small(held.length === 1 ? held[0]! : Buffer.concat(held, bytes)));
  });
  request.on('close', () => giveUp(end.aborted));
}
