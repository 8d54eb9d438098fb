import { Base64Bytes } from '../media/base64-bytes.ts';

/** Fields of a signature: what it wraps, and in it the encrypted thinking. */
const ENVELOPE_FIELD = 2;
const CIPHERTEXT_FIELD = 5;
/** Bytes by which the encrypted thinking is longer than the thinking itself. */
const AUTHENTICATION_TAG_BYTES = 16;
/** How long a number may be, of seven bits a byte. */
const MAX_VARINT_BYTES = 4;

/**
 * UTF-8 bytes of the thinking that a signature, or the data of a redacted block, holds encrypted: both are protocol
 * buffers. `undefined` where they are not, as where a recording left them out.
 */
export function countEncryptedThinkingBytes(base64: string): number | undefined {
  const bytes = new Base64Bytes(base64);
  const envelope = findField(bytes, { from: 0, to: bytes.length }, ENVELOPE_FIELD);
  const ciphertext = envelope && findField(bytes, envelope, CIPHERTEXT_FIELD);
  return ciphertext && Math.max(0, ciphertext.to - ciphertext.from - AUTHENTICATION_TAG_BYTES);
}

interface ByteRange {
  from: number;
  to: number;
}

/** The content of a message's first field of that number, which has its length before it. */
function findField(bytes: Base64Bytes, messageRange: ByteRange, number: number): ByteRange | undefined {
  let offset = messageRange.from;
  while (offset < messageRange.to) {
    const key = readVarint(bytes, offset);
    const value = key && readVarint(bytes, key.end);
    if (value === undefined) return undefined;
    const type = key!.value & 7;
    if (type !== 0 && type !== 2) return undefined;
    offset = type === 2 ? value.end + value.value : value.end;
    if (offset > messageRange.to) return undefined;
    if (type === 2 && key!.value >> 3 === number) return { from: value.end, to: offset };
  }
  return undefined;
}

function readVarint(bytes: Base64Bytes, from: number): { value: number; end: number } | undefined {
  let value = 0;
  for (let i = 0; i < MAX_VARINT_BYTES; i++) {
    const byte = bytes.byteAt(from + i);
    value |= (byte & 0x7f) << (7 * i);
    if (byte < 0x80) return { value, end: from + i + 1 };
  }
  return undefined;
}
