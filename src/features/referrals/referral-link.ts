import { randomBytes } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { insertLink, selectLink } from './queries.ts';

/** Digits and letters that cannot be taken for one another: no 0, 1, I, O, l and o. 56 of them give 69 bits. */
export const LINK_ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz';
const LINK_LENGTH = 12;
/** Bytes from here on are rejected, since 256 is no multiple of the alphabet: the first letters would come up more. */
const UNBIASED_BYTE_LIMIT = 256 - (256 % LINK_ALPHABET.length);
const MAX_RETRIES = 5;

/** Draws a link; `random` gives so many unpredictable bytes. */
export function generateLink(randomSource: (bytes: number) => Uint8Array = randomBytes): string {
  let link = '';
  while (link.length < LINK_LENGTH)
    for (const byte of randomSource(LINK_LENGTH))
      if (byte < UNBIASED_BYTE_LIMIT && link.length < LINK_LENGTH) link += LINK_ALPHABET[byte % LINK_ALPHABET.length]!;
  return link;
}

/** The member's link, drawn at the first call, one for all callers; `undefined` for a member who has been deleted. */
export async function getReferralLink(
  sql: ServiceSql,
  idpId: string,
  generate = generateLink,
): Promise<string | undefined> {
  for (let tries = 0; tries <= MAX_RETRIES; tries += 1) {
    const link = await selectLink(sql, idpId);
    if (link !== null) return link;
    await insertLink(sql, idpId, generate()).catch((error: { code?: string }) => {
      // Another member has this one: with 69 bits that is a sign of a broken generator, and it is drawn again.
      if (error.code !== '23505') throw error;
    });
  }
  throw new Error(`A referral link that is free was not found in ${MAX_RETRIES} draws.`);
}

/** Where a link leads. */
export const referralUrl = (baseUrl: string, link: string): string => `${baseUrl}/sign-up?ref=${link}`;
