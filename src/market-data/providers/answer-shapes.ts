import { z } from 'zod';

/** A number that may be missing, as its whole key may be; what is no finite number is missing too. */
export const figure = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'number' && Number.isFinite(value) ? value : null));

/** A text that may be missing, as its whole key may be. */
export const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null));

/** The market's reports of a week are a few thousand. */
const MOST_ENTRIES = 50_000;
/**
 * After so many unreadable entries at its beginning a list counts as unreadable: each failure costs time and memory.
 */
const UNREADABLE_MOST = 100;

/** A list without its unreadable entries; one with nothing else, or far too many entries, is no answer. */
export const listOf = <T>(entry: z.ZodType<T>): z.ZodType<T[]> =>
  z.unknown().transform((entries, context) => {
    const read: T[] = [];
    if (Array.isArray(entries) && entries.length <= MOST_ENTRIES) {
      for (let at = 0; at < entries.length && (read.length > 0 || at < UNREADABLE_MOST); at += 1) {
        const result = entry.safeParse(entries[at]);
        if (result.success) read.push(result.data);
      }
      if (read.length > 0 || entries.length === 0) return read;
    }
    context.addIssue({ code: 'custom', message: 'no list that can be read' });
    return z.NEVER;
  });

/** YYYY-MM-DD at the beginning of a date or time; a day that no calendar has (31 September) cannot be read. */
export const day = z
  .string()
  .regex(/^[12]\d{3}-\d{2}-\d{2}/)
  .transform((value) => value.slice(0, 10))
  .refine(isCalendarDay);

/** Whether there is such a day: the 31st of September has the form of one. */
export function isCalendarDay(value: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value);
}

/** The order of reports: by date, then by symbol. */
export const byDate = (a: { date: string; symbol: string }, b: { date: string; symbol: string }): number =>
  a.date < b.date ? -1 : a.date > b.date ? 1 : a.symbol < b.symbol ? -1 : 1;

/** The order of articles: newest first. */
export const newestFirst = (a: { published_at: string }, b: { published_at: string }): number =>
  a.published_at < b.published_at ? 1 : -1;
