import { createHash, timingSafeEqual } from 'node:crypto';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Returns whether two texts are equal. The time does not depend on the position of a difference or on the length of the
 * secret.
 */
export const isTimingSafeEqual = (actual: string, secret: string): boolean =>
  timingSafeEqual(hash(actual), hash(secret));

/** Returns whether one of the received signatures is an expected one. Every pair is compared in constant time. */
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
