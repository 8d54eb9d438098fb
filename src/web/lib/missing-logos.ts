import { readStored, writeStored } from './browser-storage.ts';

const KEY = 'tally.no-logos';
const MOST = 300;
const today = (): string => new Date().toISOString().slice(0, 10);

let day = '';
let missing = new Set<string>();

/** The addresses that had no picture today; those of another day are asked for again. */
function known(): Set<string> {
  if (day === today()) return missing;
  const [stored, ...addresses] = (readStored(KEY) ?? '').split(' ');
  day = today();
  missing = new Set(stored === day ? addresses : []);
  return missing;
}

/** Whether a logo's address was asked for today and had no picture. */
export const isMissingLogo = (address: string): boolean => known().has(address);

/** Remembers in this browser that an address has no picture, so that it is asked for once a day. */
export function noteMissingLogo(address: string): void {
  if (known().size < MOST) writeStored(KEY, [today(), ...known().add(address)].join(' '));
}
