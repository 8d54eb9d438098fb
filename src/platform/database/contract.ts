import { z } from 'zod';

/** Matches text that PostgreSQL can store. With NUL or a lone surrogate it rejects the whole statement. */
export const STORABLE_TEXT = /^[^\0\p{Cs}]*$/u;

/**
 * Matches a line without control or bidirectional characters, line separators or lone surrogates. Such a line reads as
 * it is stored.
 */
export const PLAIN_LINE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]*$/u;

/** One line of text. Control characters would fail in the database or on a terminal. */
export const line = z
  .string()
  .trim()
  .regex(/^\P{Cc}*$/u, 'No control characters.');
