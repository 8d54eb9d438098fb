import { readStored, writeStored } from '../../kit/browser-storage.ts';

const MISSING_LOGOS_KEY = 'tally.no-logos';

/** Today's date, and the addresses that had no picture today, each between spaces. */
let stored = '';

function readToday(): string {
  const today = new Date().toISOString().slice(0, 10);
  if (!stored.startsWith(today)) stored = readStored(MISSING_LOGOS_KEY) ?? '';
  return stored.startsWith(today) ? stored : (stored = `${today} `);
}

/** Whether a logo's address was asked for today and had no picture. */
export const isMissingLogo = (address: string): boolean => readToday().includes(` ${address} `);

/** Remembers in this browser that an address has no picture, so that it is asked for once a day. */
export function recordMissingLogo(address: string): void {
  if (!isMissingLogo(address)) writeStored(MISSING_LOGOS_KEY, (stored += `${address} `));
}
