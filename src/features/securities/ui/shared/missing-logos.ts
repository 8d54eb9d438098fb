import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';

const MISSING_LOGOS_KEY = 'tally.no-logos';

/** Today's date, and today's URLs without a picture, separated by spaces. */
let stored = '';

function readToday(): string {
  const today = new Date().toISOString().slice(0, 10);
  if (!stored.startsWith(today)) stored = readStored(MISSING_LOGOS_KEY) ?? '';
  if (!stored.startsWith(today)) stored = `${today} `;
  return stored;
}

/** Returns whether a logo's URL was requested today and had no picture. */
export const isMissingLogo = (address: string): boolean => readToday().includes(` ${address} `);

/** Stores in this browser that a URL has no picture, so that it is requested once a day. */
export function recordMissingLogo(address: string): void {
  if (isMissingLogo(address)) return;
  stored += `${address} `;
  writeStored(MISSING_LOGOS_KEY, stored);
}
