// Generated with vocabulary-v4_7.js; see there.
/** Front-coded pieces, sorted by code unit: header 0x30 + shared units, rest, U+0001. Markers are U+0002 to U+0005. */
export const pieces: string;
/** Lower-case hexadecimal byte sequences, separated by blanks, that open a character more cheaply than byte by byte. */
export const bytePrefixes: string;
