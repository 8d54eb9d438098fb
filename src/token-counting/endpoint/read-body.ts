import type { IncomingMessage } from 'node:http';
import { type BodyAccount, SEGMENT_BYTES } from './body-budget.ts';

/** The real service's limit. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;
/** Larger bodies are counted by the worker pool; they are gathered in memory that its threads can read too. */
const LARGE_BODY_BYTES = 256 * 1024;

/** The largest body that a process with this much room for one organisation's bodies takes, in bytes. */
export const largestBody = (room: number): number => Math.min(MAX_BODY_BYTES, room - (room % SEGMENT_BYTES));

/** How the reading of a body ended; exactly one of these is called. */
interface BodyEnd {
  small(bytes: Buffer): void;
  /** What `segments` hold is still charged to the account; the receiver closes it. */
  large(segments: Uint8Array[], bytes: number): void;
  tooLarge(): void;
  noRoom(): void;
  /** The client went away. */
  aborted(): void;
}

/**
 * Reads a body of at most `most` bytes while it streams in, whatever its length header says. `onLarge` is told once,
 * early, when it turns out to be a large one.
 */
export function readBody(
  request: IncomingMessage,
  { account, most }: { account: BodyAccount; most: number },
  end: BodyEnd,
  onLarge: () => void,
): void {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > most) return end.tooLarge();
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

  /** Copies into lent segments: another thread can read them, a socket's chunk it cannot. */
  const append = (chunk: Buffer): boolean => {
    const list = (segments ??= []);
    for (let copied = 0; copied < chunk.length;) {
      const used = bytes % SEGMENT_BYTES;
      if (used === 0) {
        const segment = account.lend();
        if (!segment) return false;
        list.push(segment);
      }
      const room = Math.min(SEGMENT_BYTES - used, chunk.length - copied);
      list.at(-1)!.set(chunk.subarray(copied, copied + room), used);
      copied += room;
      bytes += room;
    }
    return true;
  };

  const onData = (chunk: Buffer): void => {
    if (bytes + chunk.length > most) return giveUp(end.tooLarge);
    if (!segments && bytes + chunk.length <= LARGE_BODY_BYTES) {
      chunks.push(chunk);
      bytes += chunk.length;
      return;
    }
    const arrived = [...chunks, chunk];
    if (!segments) {
      onLarge();
      chunks = [];
      bytes = 0;
    }
    if (!arrived.every(append)) giveUp(end.noRoom);
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
