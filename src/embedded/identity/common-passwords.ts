import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Of each common password so many bytes are kept: among 2^40 values, one in 80 million others is taken for one. */
export const DIGEST_BYTES = 5;

/** Alike for the cases of a word and the spellings of a letter. */
export const computeDigest = (password: string): Buffer =>
  createHash('sha256').update(password.normalize('NFKC').toLowerCase()).digest().subarray(0, DIGEST_BYTES);

let digests: Buffer | undefined;

/** Whether a password is one of the common ones that guesses begin with. The list is read at the first question. */
export function isCommonPassword(password: string): boolean {
  digests ??= readDigests();
  const digest = computeDigest(password);
  let index = digests.indexOf(digest);
  // What begins inside a digest is the end of one and the beginning of the next.
  while (index % DIGEST_BYTES > 0) index = digests.indexOf(digest, index + 1);
  return index !== -1;
}

function readDigests(): Buffer {
  const text = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8');
  return Buffer.from(text.replace(/^#.*$/gm, ''), 'base64');
}
