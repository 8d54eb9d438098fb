/** Texts that the database keeps: it takes neither NUL nor half of a surrogate pair, and refuses the whole statement in which one stands. */
export const KEEPABLE_TEXT = /^[^\0\p{Cs}]*$/u;
