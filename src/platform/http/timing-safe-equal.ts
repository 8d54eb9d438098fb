import { createHash, timingSafeEqual } from 'node:crypto';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether two texts are the same, in a time that tells nothing of where they differ or how long the secret is. */
export const isTimingSafeEqual = (actual: string, secret: string): boolean =>
  timingSafeEqual(hash(actual), hash(secret));

/** Whether one of the signatures sent is one of those expected; every pair is compared, in constant time. */
export function hasMatchingSignature(received: readonly Buffer[], expected: readonly Buffer[]): boolean {
  let isMatch = false;
  for (const receivedSignature of received)
    for (const expectedSignature of expected)
      if (
        receivedSignature.length === expectedSignature.length &&
        timingSafeEqual(receivedSignature, expectedSignature)
      )
        isMatch = true;
  return isMatch;
}
