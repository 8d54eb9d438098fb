/**
 * Units that stand for the four markers of the stream, in our tables and in the vocabulary data. Normalised text holds
 * no control characters but TAB and LF, so they cannot be confused with text.
 */
export const OPEN = 0x02;
export const CLOSE = 0x03;
export const CAPITALISED = 0x04;
export const ALL_CAPS = 0x05;

export const SPACE_CHARACTER = 0x20;
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const IDEOGRAPHIC_SPACE = 0x3000;
export const APOSTROPHE = 0x27;

/** Bits that say which markers surround symbols. Words have both and a case marker, by a bit of their own. */
export const OPEN_MARKER = 1;
export const CLOSE_MARKER = 2;
export const WORD_MARKERS = 4;
