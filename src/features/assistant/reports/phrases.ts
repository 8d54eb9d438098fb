/** How figures and times are said in reports: US English, times of New York, as the screens say them. */

const ZONE = { timeZone: 'America/New_York' } as const;
const dayOf = new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', timeZone: 'UTC' });
const momentOf = new Intl.DateTimeFormat('en-US', {
  ...{ month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' },
  ...ZONE,
});
const isoDay = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...ZONE });
const plain = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });
const exact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** "$1,234.50"; without a currency the bare figure. */
export function money(amount: number, currency: string | null, decimals?: number): string {
  const digits = decimals === undefined ? {} : { maximumFractionDigits: decimals };
  if (currency === null) return new Intl.NumberFormat('en-US', { maximumFractionDigits: 4, ...digits }).format(amount);
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, ...digits }).format(amount);
}

/** As `money`; of a price below one the first four digits, such as "$0.0004". */
export function price(amount: number, currency: string | null): string {
  const isSmall = amount !== 0 && Math.abs(amount) < 1;
  return money(amount, currency, isSmall ? Math.min(20, 3 - Math.floor(Math.log10(Math.abs(amount)))) : undefined);
}

/** "+$12.00" or "−$12.00". */
export const signedMoney = (amount: number, currency: string | null): string =>
  `${amount < 0 ? '−' : '+'}${money(Math.abs(amount), currency)}`;

/** "+2.2%" or "−0.3%". */
export const percent = (change: number): string => `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(2)}%`;

/** "12", "0.01525217": with every digit that is stored. */
export const amount = (quantity: number): string => exact.format(quantity);

/** "41M". */
export const roughly = (count: number): string => compact.format(count);

/** "Wed, Nov 25" of a date. */
export const day = (date: string): string => dayOf.format(new Date(`${date}T00:00:00Z`));

/** "Nov 23, 10:15 AM ET" of an instant. */
export const moment = (instant: string): string => `${momentOf.format(new Date(instant))} ET`;

/** The day in New York, YYYY-MM-DD. */
export const newYorkDay = (instant: string | Date): string => isoDay.format(new Date(instant));

/** "1 row", "3 rows". */
export const count = (found: number, one: string, many = `${one}s`): string =>
  `${found === 1 ? '1' : plain.format(found)} ${found === 1 ? one : many}`;

/** "A", "A and B", "A, B and C". */
export const listed = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;
