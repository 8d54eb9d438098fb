import { createHash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two texts are the same, in a time that tells nothing of where they differ or how long the secret is. */
export const isSameSecret = (given: string, secret: string): boolean => timingSafeEqual(digest(given), digest(secret));

/** Whether one of the signatures sent is one of those expected; every pair is compared, in constant time. */
export function hasSignature(sent: readonly Buffer[], expected: readonly Buffer[]): boolean {
  let found = false;
  for (const one of sent)
    for (const other of expected) if (one.length === other.length && timingSafeEqual(one, other)) found = true;
  return found;
}
