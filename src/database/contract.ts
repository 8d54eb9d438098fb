import { z } from 'zod';

/** Texts that the database keeps: with NUL or half a surrogate pair it refuses the whole statement. */
export const KEEPABLE_TEXT = /^[^\0\p{Cs}]*$/u;

/** One line of text; control characters would not survive the database or a terminal. */
export const line = z
  .string()
  .trim()
  .regex(/^\P{Cc}*$/u, 'No control characters.');
