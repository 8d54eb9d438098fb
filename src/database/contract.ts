import { z } from 'zod';

/** Texts that the database keeps: it takes neither NUL nor half of a surrogate pair, and refuses the whole statement in which one stands. */
export const KEEPABLE_TEXT = /^[^\0\p{Cs}]*$/u;

/** One line of text; control characters would not survive the database or a terminal. */
export const line = z
  .string()
  .trim()
  .regex(/^\P{Cc}*$/u, 'No control characters.');
