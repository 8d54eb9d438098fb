import { randomBytes } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { selectReferralLink, setReferralLink } from '../../platform/identity/queries.ts';

/** Digits and letters without look-alikes: no 0, 1, I, O, l and o. 56 characters provide 69 bits per link. */
export const LINK_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz';
const LINK_LENGTH = 12;
/**
 * Bytes from this value are rejected, because 256 is no multiple of the alphabet and the first letters would be more
 * frequent.
 */
const UNBIASED_BYTE_LIMIT = 256 - (256 % LINK_ALPHABET.length);
const MAX_RETRIES = 5;

/** Generates a link. `randomSource` returns the given number of unpredictable bytes. */
export function generateLink(randomSource: (bytes: number) => Uint8Array = randomBytes): string {
  let link = '';
  while (link.length < LINK_LENGTH)
    for (const byte of randomSource(LINK_LENGTH))
      if (byte < UNBIASED_BYTE_LIMIT && link.length < LINK_LENGTH) link += LINK_ALPHABET[byte % LINK_ALPHABET.length]!;
  return link;
}

/**
 * Returns the member's link, generated at the first call and equal for all callers. Returns `undefined` for a deleted
 * member.
 */
export async function getReferralLink(
  sql: ServiceSql,
  idpId: string,
  generate = generateLink,
): Promise<string | undefined> {
  for (let tries = 0; tries <= MAX_RETRIES; tries += 1) {
    const link = await selectReferralLink(sql, idpId);
    if (link !== null) return link;
    await setReferralLink(sql, idpId, generate()).catch((error: { code?: string }) => {
      // Another member has this link. With 69 bits this indicates a broken generator, so the loop is bounded.
      if (error.code !== '23505') throw error;
    });
  }
  throw new Error(`Failed to generate an unused referral link in ${MAX_RETRIES} attempts.`);
}

/** Returns the sign-up URL of a link. */
export const referralUrl = (baseUrl: string, link: string): string => `${baseUrl}/sign-up?ref=${link}`;
