/** A problem of a request: the path (`messages.0.content.1`, `''` for the whole) and a sentence. */
export interface Problem {
  path: string;
  message: string;
  /** Path of the image or document with the problem, as `collectMedia` returns it. */
  mediaPath?: string;
}

/** Checks a value. Returns `undefined` for a valid value. The path of a problem is relative to the value. */
export type Check = (value: unknown) => Problem | undefined;

/** Returns a problem of the value. The caller prepends its path with `prependPath`. */
export function validationError(message: string, path = ''): Problem {
  return { path, message };
}

/** Prepends a key to the path of a problem. Paths are built only for problems, so valid requests cost nothing. */
export function prependPath(key: string | number, problem: Problem): Problem {
  problem.path = problem.path === '' ? String(key) : `${key}.${problem.path}`;
  return problem;
}

/** Returns the error message of a response: `messages.0.role: Field required`. */
export function formatProblem({ path, message }: Problem): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Message for a missing field. */
export const FIELD_REQUIRED = 'Field required';

/** Shortens a name from a client for a message. */
export const truncateForMessage = (name: string): string => (name.length <= 64 ? name : `${name.slice(0, 64)}…`);

/** Returns whether a JSON value is an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
