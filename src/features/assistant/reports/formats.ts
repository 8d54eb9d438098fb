/** Formats of figures and times in reports: US English, New York time, like the screens. */

const ZONE = { timeZone: 'America/New_York' } as const;
const dayFormat = new Intl.DateTimeFormat('en-US', {
  weekday: 'short',
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
});
const momentFormat = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  ...ZONE,
});
const isoDayFormat = new Intl.DateTimeFormat('en-CA', { dateStyle: 'short', ...ZONE });
const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 4 });
const exactNumberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 });
const compactNumberFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** Formats an amount as "$1,234.50", or without a symbol if the currency is unknown. */
export function formatMoney(amount: number, currency: string | null, decimals?: number): string {
  const digits = decimals === undefined ? {} : { maximumFractionDigits: decimals };
  if (currency === null) return new Intl.NumberFormat('en-US', { maximumFractionDigits: 4, ...digits }).format(amount);
  return new Intl.NumberFormat('en-US', { style: 'currency', currency, ...digits }).format(amount);
}

/** Formats a price like `formatMoney`. A price below one shows its first four digits, such as "$0.0004". */
export function formatPrice(amount: number, currency: string | null): string {
  const isSmall = amount !== 0 && Math.abs(amount) < 1;
  return formatMoney(
    amount,
    currency,
    isSmall ? Math.min(20, 3 - Math.floor(Math.log10(Math.abs(amount)))) : undefined,
  );
}

/** Formats an amount with its sign, as "+$12.00" or "−$12.00". */
export const formatSignedMoney = (amount: number, currency: string | null): string =>
  `${amount < 0 ? '−' : '+'}${formatMoney(Math.abs(amount), currency)}`;

/** Formats a change in percent, as "+2.2%" or "−0.3%". */
export const formatPercent = (change: number): string => `${change < 0 ? '−' : '+'}${Math.abs(change).toFixed(2)}%`;

/** Formats a quantity with every stored digit, as "12" or "0.01525217". */
export const formatQuantity = (quantity: number): string => exactNumberFormat.format(quantity);

/** Formats a large number, as "41M". */
export const formatCompact = (count: number): string => compactNumberFormat.format(count);

/** Formats a date as "Wed, Nov 25". */
export const formatDay = (date: string): string => dayFormat.format(new Date(`${date}T00:00:00Z`));

/** Formats an instant as "Nov 23, 10:15 AM ET". */
export const formatMoment = (instant: string): string => `${momentFormat.format(new Date(instant))} ET`;

/** Returns the date in New York, YYYY-MM-DD. */
export const getNewYorkDay = (instant: string | Date): string => isoDayFormat.format(new Date(instant));

/** Formats a count as "1 row" or "3 rows". */
export const formatCount = (number: number, singular: string, plural = `${singular}s`): string =>
  `${number === 1 ? '1' : numberFormat.format(number)} ${number === 1 ? singular : plural}`;

/** Joins parts as "A", "A and B" or "A, B and C". */
export const formatList = (parts: readonly string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)!}`;
