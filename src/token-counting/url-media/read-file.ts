import type { IncomingMessage } from 'node:http';
import type { FetchProblem } from './fetch-problem.ts';
import { FILE_KINDS, HEAD_BYTES, mayBe } from './file-kinds.ts';
import type { WantedUrl } from './wanted-url.ts';

export type FileRead = { ok: true; bytes: Uint8Array<ArrayBuffer> } | { ok: false; problem: FetchProblem };

/**
 * Reads the body of a 200 answer within the limit of its kind, whatever its length header says, and gives up as soon as its first
 * bytes are not those of such a file. Rejects when the connection breaks or the request is aborted; ends the connection in any case.
 * @param charge is told of all bytes before they are kept, and may throw to end it
 */
export async function readFile(
  response: IncomingMessage,
  kind: WantedUrl['kind'],
  charge: (bytes: number) => void,
): Promise<FileRead> {
  const { 'content-encoding': encoding, 'content-type': type, 'content-length': length } = response.headers;
  const { maxBytes, startsAs } = FILE_KINDS[kind];
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity') return refused('encoded');
  if (!mayBe(kind, type)) return refused('wrong_type');
  if (Number(length) > maxBytes) return refused('too_large');
  let kept = new Uint8Array(16 * 1024);
  let bytes = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    if (bytes + piece.length > maxBytes) return refused('too_large');
    charge(piece.length);
    if (bytes + piece.length > kept.length) kept = grown(kept, bytes + piece.length);
    kept.set(piece, bytes);
    const isHeadNew = bytes < HEAD_BYTES;
    bytes += piece.length;
    if (isHeadNew && bytes >= HEAD_BYTES && !startsAs(kept.subarray(0, HEAD_BYTES))) return refused('wrong_type');
  }
  if (bytes < HEAD_BYTES) return refused('wrong_type');
  return { ok: true, bytes: kept.slice(0, bytes) };
}

function grown(kept: Uint8Array<ArrayBuffer>, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, kept.length * 2));
  larger.set(kept);
  return larger;
}

const refused = (problem: FetchProblem): FileRead => ({ ok: false, problem });
