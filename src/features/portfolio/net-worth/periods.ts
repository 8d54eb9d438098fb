const DAY_MS = 86_400_000;
const daysByPeriod = { '1w': 7, '1m': 31, '3m': 92, '1y': 366 } as const;

/** Returns the day before a date by a number of days. Dates are YYYY-MM-DD. */
export const subtractDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, 10);

/** Returns the first day of a period up to `today`. */
export const getFirstDay = (period: keyof typeof daysByPeriod | 'ytd', today: string): string =>
  period === 'ytd' ? `${Number(today.slice(0, 4)) - 1}-12-31` : subtractDays(today, daysByPeriod[period]);
