import { readStored, writeStored } from '../../../ui/kit/browser-storage.ts';

/** Storage key of the link with its time of opening: `<link> <ms since 1970>`. */
const STORAGE_KEY = 'tally.referral';
const REFERRAL_TTL_MS = 30 * 24 * 60 * 60_000;

/** Link of this page if the storage is blocked or full. Lost when the page closes. */
let inMemoryLink: string | null = null;

/**
 * Returns the referral link in an address's query: twelve letters and digits, or null. Capitals in the name, escaped
 * separators, punctuation and invisible characters around the link are ignored, since mail programs and people add
 * them.
 */
export function parseReferralLink(search: string): string | null {
  const fields = [...new URLSearchParams(search)].map(([name, value]) => `&${name}=${value}`).join('');
  const visible = fields.replaceAll(/\p{Cf}/gu, '');
  return /[&;?]ref=[^A-Za-z0-9&]*([A-Za-z0-9]{12})(?![A-Za-z0-9])/i.exec(visible)?.[1] ?? null;
}

/** Stores the address's referral link in place of an earlier one. Without a link, deletes an expired one. */
export function storeReferral(search: string): void {
  const link = parseReferralLink(search);
  if (link !== null) {
    writeStored(STORAGE_KEY, `${link} ${Date.now()}`);
    inMemoryLink = readStored(STORAGE_KEY) === null ? link : null;
  } else if (readStoredReferral() === null) clearReferral();
}

/** Returns the referral link that was opened here in the last 30 days, or null. */
export function readStoredReferral(): string | null {
  const [link = null, openedAt] = readStored(STORAGE_KEY)?.split(' ') ?? [];
  return link !== null && Date.now() - Number(openedAt) < REFERRAL_TTL_MS ? link : inMemoryLink;
}

/** Deletes the link from this browser, after a sign-up or if it is invalid. */
export function clearReferral(): void {
  inMemoryLink = null;
  writeStored(STORAGE_KEY, null);
}

/**
 * Reports a sign-up with a link, which the service verifies with the identity provider. No page waits for the response.
 */
export function reportSignUp(referred: string, link: string): void {
  void fetch('/api/referrals/track-signup', {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ referred_idp_id: referred, referrer_idp_id: link }),
  }).catch(() => {
    // The provider's signed event reports the sign-up too.
  });
}
