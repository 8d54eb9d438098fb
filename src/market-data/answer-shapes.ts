import { z } from 'zod';

/** A number that may be missing; what is no finite number is missing too. */
export const figure = z.unknown().transform((value) => (typeof value === 'number' && Number.isFinite(value) ? value : null));

/** A text that may be missing. */
export const text = z.unknown().transform((value) => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null));

/** A list of which unreadable entries are left out; one with nothing but unreadable entries is no answer. */
export const listOf = <T>(entry: z.ZodType<T>): z.ZodType<T[]> =>
  z.array(z.unknown()).transform((entries, context) => {
    const read = entries.map((value) => entry.safeParse(value)).filter((result) => result.success).map(({ data }) => data as T);
    if (read.length === 0 && entries.length > 0) context.addIssue({ code: 'custom', message: 'no entry can be read' });
    return read;
  });

/** YYYY-MM-DD at the beginning of a date or time. */
export const day = z.string().regex(/^\d{4}-\d{2}-\d{2}/).transform((value) => value.slice(0, 10));
