import { readStored, writeStored } from '../../kit/browser-storage.ts';

const KEY = 'tally.no-logos';

/** Today's date, and the addresses that had no picture today, each between spaces. */
let known = '';

function read(): string {
  const today = new Date().toISOString().slice(0, 10);
  if (!known.startsWith(today)) known = readStored(KEY) ?? '';
  return known.startsWith(today) ? known : (known = `${today} `);
}

/** Whether a logo's address was asked for today and had no picture. */
export const isMissingLogo = (address: string): boolean => read().includes(` ${address} `);

/** Remembers in this browser that an address has no picture, so that it is asked for once a day. */
export function noteMissingLogo(address: string): void {
  if (!isMissingLogo(address)) writeStored(KEY, (known += `${address} `));
}
