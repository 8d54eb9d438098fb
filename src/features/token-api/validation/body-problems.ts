/** Maximum nesting, deeper than any schema or tool input. Deeper JSON takes seconds to parse and traverse. */
export const MAX_DEPTH = 1_000;

export const TOO_DEEP = `The request body is nested deeper than ${MAX_DEPTH} levels.`;
export const NO_OBJECT = 'The request body must be a JSON object.';

/** Returns the sentence of a syntax error: `unexpected character: line 1 column 2 (char 1)`. */
export const formatInvalidJson = (error: string): string => `The request body is not valid JSON: ${error}`;
