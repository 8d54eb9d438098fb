import { z } from 'zod';
import { isCalendarDay } from '../../domain/dates.ts';

/** What may be missing, as its whole key may be: `read` makes of anything what it stands for. */
export const lenient = <T>(parse: (value: unknown) => T) => z.unknown().optional().transform(parse);

/** A number that may be missing; what is no finite number is missing too. */
export const nullableNumber = lenient((value) => (typeof value === 'number' && Number.isFinite(value) ? value : null));

/** A text that may be missing. */
export const nullableText = lenient((value) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null,
);

/** The market's reports of a week are a few thousand. */
const MAX_ENTRIES = 50_000;
/**
 * After so many unreadable entries at its beginning a list counts as unreadable: each failure costs time and memory.
 */
const MAX_LEADING_UNREADABLE = 100;

/** A list without its unreadable entries; one with nothing else, or far too many entries, is no answer. */
export const lenientList = <T>(entry: z.ZodType<T>): z.ZodType<T[]> =>
  z.unknown().transform((entries, context) => {
    const parsedEntries: T[] = [];
    if (Array.isArray(entries) && entries.length <= MAX_ENTRIES) {
      for (
        let index = 0;
        index < entries.length && (parsedEntries.length > 0 || index < MAX_LEADING_UNREADABLE);
        index += 1
      ) {
        const result = entry.safeParse(entries[index]);
        if (result.success) parsedEntries.push(result.data);
      }
      if (parsedEntries.length > 0 || entries.length === 0) return parsedEntries;
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
