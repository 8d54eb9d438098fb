import { type Check, type Problem, refuse, within } from './problem.ts';

/** The sentences of refusals are those of the real API wherever it is known to say them. */
export const REQUIRED = 'Field required';
const EXTRA = 'Extra inputs are not permitted';
const NOT_A_STRING = 'Input should be a valid string';
const NOT_A_LIST = 'Input should be a valid list';
const NOT_AN_OBJECT = 'Input should be a valid dictionary';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const string: Check = (value) => (typeof value === 'string' ? undefined : refuse(NOT_A_STRING));
export const boolean: Check = (value) =>
  typeof value === 'boolean' ? undefined : refuse('Input should be a valid boolean');
export const number: Check = (value) => (Number.isFinite(value) ? undefined : refuse('Input should be a valid number'));
export const object: Check = (value) => (isObject(value) ? undefined : refuse(NOT_AN_OBJECT));
/** Of a `type` by which the shape has been chosen already. */
export const tag: Check = () => undefined;

export const integer =
  (least = Number.NEGATIVE_INFINITY): Check =>
  (value) => {
    if (!Number.isSafeInteger(value)) return refuse('Input should be a valid integer');
    return (value as number) < least ? refuse(`Input should be greater than or equal to ${least}`) : undefined;
  };

export const nonEmptyString: Check = (value) =>
  string(value) ?? (value === '' ? refuse('String should have at least 1 character') : undefined);

/** A string of a pattern; `source` is what the refusal shows. */
export const pattern = (expression: RegExp): Check => {
  const message = `String should match pattern '${expression.source}'`;
  return (value) => string(value) ?? (expression.test(value as string) ? undefined : refuse(message));
};

const quoted = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

/** One of a few strings, told as the real API tells it: `'a', 'b' or 'c'`. */
export const oneOf = (...values: readonly string[]): Check => {
  const last = values.at(-1)!;
  const list = values.length === 1 ? `'${last}'` : `${quoted(values.slice(0, -1))} or '${last}'`;
  return (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : refuse(`Input should be ${list}`);
};

export const nullable =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value);

export const list =
  (item: Check): Check =>
  (value) => {
    if (!Array.isArray(value)) return refuse(NOT_A_LIST);
    for (let index = 0; index < value.length; index += 1) {
      const problem = item(value[index]);
      if (problem) return within(index, problem);
    }
    return undefined;
  };

export const stringOr =
  (check: Check): Check =>
  (value) =>
    typeof value === 'string' ? undefined : check(value);

interface Fields {
  required?: Readonly<Record<string, Check>>;
  optional?: Readonly<Record<string, Check>>;
}

/** An object with these fields; others are refused unless `open`. Fields are checked in the order in which they are
 * named. */
export function fields({ required = {}, optional = {} }: Fields, { open = false } = {}): Check {
  const named = [...Object.entries(required), ...Object.entries(optional)];
  const names = named.map(([name]) => name);
  const checks = named.map(([, check]) => check);
  const needed = Object.keys(required).length;
  const known = new Set(names);
  return (value) => {
    if (!isObject(value)) return refuse(NOT_AN_OBJECT);
    let present = 0;
    for (let index = 0; index < names.length; index += 1) {
      const name = names[index]!;
      const inner = value[name];
      if (inner === undefined) {
        if (index < needed) return refuse(REQUIRED, name);
        continue;
      }
      present += 1;
      const problem = checks[index]!(inner);
      if (problem) return within(name, problem);
    }
    return open ? undefined : extraField(value, present, known);
  };
}

function extraField(value: Record<string, unknown>, present: number, known: ReadonlySet<string>): Problem | undefined {
  let total = 0;
  for (const _name in value) total += 1;
  if (total === present) return undefined;
  for (const name in value) if (!known.has(name)) return refuse(EXTRA, shown(name));
  return undefined;
}

/** A name that a caller made up, short enough for a message. */
export const shown = (name: string): string => (name.length <= 64 ? name : `${name.slice(0, 64)}…`);

/** An object whose `type` chooses its shape. */
export function tagged(shapes: Readonly<Record<string, Check>>): Check {
  const byTag = new Map(Object.entries(shapes));
  const expected = quoted([...byTag.keys()].sort());
  return (value) => {
    if (!isObject(value)) return refuse(NOT_AN_OBJECT);
    const tag = value['type'];
    if (tag === undefined) return refuse(REQUIRED, 'type');
    const shape = typeof tag === 'string' ? byTag.get(tag) : undefined;
    if (shape) return shape(value);
    const found = typeof tag === 'string' ? shown(tag) : JSON.stringify(tag)?.slice(0, 64);
    return refuse(`Input tag '${found}' found using 'type' does not match any of the expected tags: ${expected}`);
  };
}
