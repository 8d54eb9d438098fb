/** What is wrong with a request: the place as a path (`messages.0.content.1`, `''` for the whole) and a sentence. */
export interface Problem {
  path: string;
  message: string;
}

/** Checks a value; `undefined` means that it is right. A refusal's path begins at the checked value. */
export type Check = (value: unknown) => Problem | undefined;

/** A refusal of the value itself; the caller of the check puts the place in front with `within`. */
export function validationError(message: string, path = ''): Problem {
  return { path, message };
}

/** Puts a key in front of a refusal's path. Paths are built only on refusals, so that right requests pay nothing. */
export function prependPath(key: string | number, problem: Problem): Problem {
  problem.path = problem.path === '' ? String(key) : `${key}.${problem.path}`;
  return problem;
}

/** The refusal as the error message of an answer: `messages.0.role: Field required`. */
export function formatProblem({ path, message }: Problem): string {
  return path === '' ? message : `${path}: ${message}`;
}

/** Of a field that is not there. */
export const FIELD_REQUIRED = 'Field required';

/** A name that a caller made up, short enough for a message. */
export const truncateForMessage = (name: string): string => (name.length <= 64 ? name : `${name.slice(0, 64)}…`);

/** Whether a JSON value is an object. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
