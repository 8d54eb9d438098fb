import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Number of bytes stored of each digest. With 2^40 values, about one in 80 million other passwords matches by accident.
 */
export const DIGEST_BYTES = 5;

/** Returns the digest, which ignores case and the Unicode form of characters. */
export const computeDigest = (password: string): Buffer =>
  createHash('sha256').update(password.normalize('NFKC').toLowerCase()).digest().subarray(0, DIGEST_BYTES);

let digests: Buffer | undefined;

/** Returns whether a password is in the list of common passwords. The list is read at the first call. */
export function isCommonPassword(password: string): boolean {
  digests ??= readDigests();
  const digest = computeDigest(password);
  let index = digests.indexOf(digest);
  // Skip matches that are not aligned to a digest boundary.
  while (index % DIGEST_BYTES > 0) index = digests.indexOf(digest, index + 1);
  return index !== -1;
}

function readDigests(): Buffer {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8');
  return Buffer.from(text.replace(/^#.*$/gm, ''), 'base64');
}
