import { readStored, writeStored } from '../../../ui/kit/browser-storage.ts';

/** Holds the link and when it was opened: `<link> <ms since 1970>`. */
const STORAGE_KEY = 'tally.referral';
const REFERRAL_TTL_MS = 30 * 24 * 60 * 60_000;

/** The link of this page where the storage is blocked or full: it lives as long as the page. */
let inMemoryLink: string | null = null;

/**
 * The referral link in the query of an address, twelve letters and digits; null without one. Capitals in the name,
 * escaped separators, and punctuation and invisible characters around the link are passed over, since mail programs
 * and people add them.
 */
export function parseReferralLink(search: string): string | null {
  const fields = [...new URLSearchParams(search)].map(([name, value]) => `&${name}=${value}`).join('');
  const visible = fields.replaceAll(/\p{Cf}/gu, '');
  return /[&;?]ref=[^A-Za-z0-9&]*([A-Za-z0-9]{12})(?![A-Za-z0-9])/i.exec(visible)?.[1] ?? null;
}

/** Keeps the address's referral link in place of an earlier one; without a link, removes one that is too old. */
export function storeReferral(search: string): void {
  const link = parseReferralLink(search);
  if (link !== null) {
    writeStored(STORAGE_KEY, `${link} ${Date.now()}`);
    inMemoryLink = readStored(STORAGE_KEY) === null ? link : null;
  } else if (readStoredReferral() === null) clearReferral();
}

/** The referral link that was opened here in the last 30 days; null without one. */
export function readStoredReferral(): string | null {
  const [link = null, openedAt] = readStored(STORAGE_KEY)?.split(' ') ?? [];
  return link !== null && Date.now() - Number(openedAt) < REFERRAL_TTL_MS ? link : inMemoryLink;
}

/** Removes the link from this browser, after a sign-up or where it is nobody's. */
export function clearReferral(): void {
  inMemoryLink = null;
  writeStored(STORAGE_KEY, null);
}

/** Reports a sign-up by a link, which the service confirms with the identity provider; no page waits for it. */
export function reportSignUp(referred: string, link: string): void {
  void fetch('/api/referrals/track-signup', {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ referred_idp_id: referred, referrer_idp_id: link }),
  }).catch(() => {
    // The provider's signed event tells the same.
  });
}
