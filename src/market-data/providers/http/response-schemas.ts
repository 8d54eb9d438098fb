import { z } from 'zod';
import { isCalendarDay } from '../../domain/dates.ts';

/** What may be missing, as its whole key may be: `read` makes of anything what it stands for. */
export const anything = <T>(read: (value: unknown) => T) => z.unknown().optional().transform(read);

/** A number that may be missing; what is no finite number is missing too. */
export const figure = anything((value) => (typeof value === 'number' && Number.isFinite(value) ? value : null));

/** A text that may be missing. */
export const text = anything((value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null));

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
