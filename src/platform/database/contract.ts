import { z } from 'zod';

/** Texts that the database keeps: with NUL or half a surrogate pair it refuses the whole statement. */
export const STORABLE_TEXT = /^[^\0\p{Cs}]*$/u;

/** A line that reads as it is stored: no control or bidirectional characters, line separators or half letters. */
export const PLAIN_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u;

/** One line of text; control characters would not survive the database or a terminal. */
export const line = z
  .string()
  .trim()
  .regex(/^\P{Cc}*$/u, 'No control characters.');
