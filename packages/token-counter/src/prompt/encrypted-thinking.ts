import { Base64Bytes } from '../media/base64-bytes.ts';

/** Field numbers of a signature: the envelope, and within it the encrypted thinking. */
const ENVELOPE_FIELD = 2;
const CIPHERTEXT_FIELD = 5;
/** Bytes that encryption adds to the thinking. */
const AUTHENTICATION_TAG_BYTES = 16;
/** Maximum length of a varint in bytes of seven bits. */
const MAX_VARINT_BYTES = 4;

/**
 * Returns the UTF-8 bytes of the encrypted thinking in a signature or a redacted block, which are protocol buffers.
 * Returns `undefined` for other data, such as a signature that a recording omits.
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

/** Returns the range of the first length-delimited field with that number in a message. */
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
