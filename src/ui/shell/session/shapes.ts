/**
 * Reads an unknown value as `T`; throws where it is none. Written out, since a schema library would be a twentieth of
 * every page's script for four answers.
 */
export type Shape<T> = (value: unknown) => T;

/** What a shape reads. */
export type Read<S> = S extends Shape<infer T> ? T : never;

export const text: Shape<string> = (value) => {
  if (typeof value !== 'string') throw new TypeError(`expected a text, got ${typeof value}`);
  return value;
};

/** A value that may be null or absent: null either way. */
export const optional =
  <T>(shape: Shape<T>): Shape<T | null> =>
  (value) =>
    value === null || value === undefined ? null : shape(value);

export const listOf =
  <T>(shape: Shape<T>): Shape<T[]> =>
  (value) => {
    if (!Array.isArray(value)) throw new TypeError(`expected a list, got ${typeof value}`);
    return value.map((element) => shape(element));
  };

/** An object with at least these fields; the others are left out. */
export const fields =
  <Fields extends Readonly<Record<string, Shape<unknown>>>>(
    shapes: Fields,
  ): Shape<{ [Name in keyof Fields]: Read<Fields[Name]> }> =>
  (value) => {
    if (typeof value !== 'object' || value === null) throw new TypeError(`expected an object, got ${typeof value}`);
    const entries = Object.entries(shapes).map(([name, shape]) => [
      name,
      shape((value as Readonly<Record<string, unknown>>)[name]),
    ]);
    return Object.fromEntries(entries) as { [Name in keyof Fields]: Read<Fields[Name]> };
  };

/** What a shape reads of a value; undefined where the value is another. */
export function readAs<T>(shape: Shape<T>, value: unknown): T | undefined {
  try {
    return shape(value);
  } catch {
    return undefined;
  }
}
