// Generated code is in draft-2020-12.js; see there.
/** Returns whether a value is a valid JSON Schema of draft 2020-12. */
export function validate(schema: unknown): boolean;
