/**
 * Units of the four markers in the tables and in the vocabulary data. Normalized text has no control characters except
 * for TAB and LF, so markers cannot be confused with text.
 */
export const OPEN = 0x02;
export const CLOSE = 0x03;
export const CAPITALIZED = 0x04;
export const ALL_CAPS = 0x05;

export const SPACE_CHARACTER = 0x20;
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const IDEOGRAPHIC_SPACE = 0x3000;
export const APOSTROPHE = 0x27;

/** Flags of the markers around symbols. Words have both markers, and a case marker with its own flag. */
export const OPEN_MARKER = 1;
export const CLOSE_MARKER = 2;
export const WORD_MARKERS = 4;
