import { randomBytes } from 'node:crypto';
import type { ServiceSql } from '../../platform/database/roles.ts';
import { insertLink, selectLink } from './queries.ts';

/** Digits and letters that cannot be taken for one another: no 0, 1, I, O, l and o. 56 of them give 69 bits. */
export const ALPHABET = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz';
const LENGTH = 12;
/** Bytes from here on are rejected, since 256 is no multiple of the alphabet: the first letters would come up more. */
const FAIR = 256 - (256 % ALPHABET.length);
const TRIES = 5;

/** Draws a link; `random` gives so many unpredictable bytes. */
export function drawLink(random: (bytes: number) => Uint8Array = randomBytes): string {
  let link = '';
  while (link.length < LENGTH)
    for (const byte of random(LENGTH))
      if (byte < FAIR && link.length < LENGTH) link += ALPHABET[byte % ALPHABET.length]!;
  return link;
}

/** The member's link, drawn at the first call, one for all callers; `undefined` for a member who has been deleted. */
export async function getReferralLink(sql: ServiceSql, idpId: string, draw = drawLink): Promise<string | undefined> {
  for (let tries = 0; tries <= TRIES; tries += 1) {
    const link = await selectLink(sql, idpId);
    if (link !== null) return link;
    await insertLink(sql, idpId, draw()).catch((error: { code?: string }) => {
      // Another member has this one: with 69 bits that is a sign of a broken generator, and it is drawn again.
      if (error.code !== '23505') throw error;
    });
  }
  throw new Error(`A referral link that is free was not found in ${TRIES} draws.`);
}

/** Where a link leads. */
export const referralUrl = (baseUrl: string, link: string): string => `${baseUrl}/sign-up?ref=${link}`;
