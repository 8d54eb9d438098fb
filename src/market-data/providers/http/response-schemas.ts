import { z } from 'zod';
import { isCalendarDay } from '../../domain/dates.ts';

/** Builds a schema for an optional value. `parse` receives any input, including undefined for a missing key. */
export const lenient = <T>(parse: (value: unknown) => T) => z.unknown().optional().transform(parse);

/** An optional number. Anything but a finite number becomes null. */
export const nullableNumber = lenient((value) => (typeof value === 'number' && Number.isFinite(value) ? value : null));

/** An optional text. */
export const nullableText = lenient((value) =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null,
);

/** Maximum number of entries. The reports of a market week are a few thousand. */
const MAX_ENTRIES = 50_000;
/**
 * Maximum number of unreadable entries at the start of a list. Each failure costs time and memory, so the list is then
 * rejected.
 */
const MAX_LEADING_UNREADABLE = 100;

/** Parses a list and drops its unreadable entries. Rejects a list with no readable entry or too many entries. */
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

/** Parses the YYYY-MM-DD at the start of a date or time. Rejects dates that do not exist (31 September). */
export const day = z
  .string()
  .regex(/^[12]\d{3}-\d{2}-\d{2}/)
  .transform((value) => value.slice(0, 10))
  .refine(isCalendarDay);

/** An optional day. Anything but an existing day becomes null. */
export const nullableDay = lenient((value) => day.safeParse(value).data ?? null);
