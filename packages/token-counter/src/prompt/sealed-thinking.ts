import { Base64Bytes } from '../media/base64-bytes.ts';

/** Fields of a signature: what it wraps, and in it the encrypted thinking. */
const ENVELOPE = 2;
const CIPHERTEXT = 5;
/** Bytes by which the encrypted thinking is longer than the thinking itself. */
const AUTHENTICATION_TAG = 16;
/** How long a number may be, of seven bits a byte. */
const LONGEST_NUMBER = 4;

/**
 * UTF-8 bytes of the thinking that a signature, or the data of a redacted block, holds encrypted: both are protocol
 * buffers. `undefined` where they are not, as where a recording left them out.
 */
export function sealedBytes(base64: string): number | undefined {
  const bytes = new Base64Bytes(base64);
  const envelope = field(bytes, { from: 0, to: bytes.length }, ENVELOPE);
  const sealed = envelope && field(bytes, envelope, CIPHERTEXT);
  return sealed && Math.max(0, sealed.to - sealed.from - AUTHENTICATION_TAG);
}

interface Range {
  from: number;
  to: number;
}

/** The content of a message's first field of that number, which has its length before it. */
function field(bytes: Base64Bytes, message: Range, number: number): Range | undefined {
  let at = message.from;
  while (at < message.to) {
    const key = readNumber(bytes, at);
    const value = key && readNumber(bytes, key.end);
    if (value === undefined) return undefined;
    const type = key!.value & 7;
    if (type !== 0 && type !== 2) return undefined;
    at = type === 2 ? value.end + value.value : value.end;
    if (at > message.to) return undefined;
    if (type === 2 && key!.value >> 3 === number) return { from: value.end, to: at };
  }
  return undefined;
}

function readNumber(bytes: Base64Bytes, from: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let i = 0; i < LONGEST_NUMBER; i++) {
    const byte = bytes.at(from + i);
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return { value, end: from + i + 1 };
  }
  return undefined;
}
