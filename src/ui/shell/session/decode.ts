/**
 * Reads an unknown value as `T`; throws where it is none. Written out, since a schema library would be a twentieth of
 * every page's script for four answers.
 */
export type Decoder<T> = (value: unknown) => T;

/** What a shape reads. */
export type Decoded<S> = S extends Decoder<infer T> ? T : never;

export const text: Decoder<string> = (value) => {
  if (typeof value !== 'string') throw new TypeError(`expected a text, got ${typeof value}`);
  return value;
};

/** A value that may be null or absent: null either way. */
export const optional =
  <T>(decoder: Decoder<T>): Decoder<T | null> =>
  (value) =>
    value === null || value === undefined ? null : decoder(value);

export const list =
  <T>(decoder: Decoder<T>): Decoder<T[]> =>
  (value) => {
    if (!Array.isArray(value)) throw new TypeError(`expected a list, got ${typeof value}`);
    return value.map((element) => decoder(element));
  };

/** An object with at least these fields; the others are left out. */
export const fields =
  <Fields extends Readonly<Record<string, Decoder<unknown>>>>(
    decoders: Fields,
  ): Decoder<{ [Name in keyof Fields]: Decoded<Fields[Name]> }> =>
  (value) => {
    if (typeof value !== 'object' || value === null) throw new TypeError(`expected an object, got ${typeof value}`);
    const entries = Object.entries(decoders).map(([name, decoder]) => [
      name,
      decoder((value as Readonly<Record<string, unknown>>)[name]),
    ]);
    return Object.fromEntries(entries) as { [Name in keyof Fields]: Decoded<Fields[Name]> };
  };

/** What a shape reads of a value; undefined where the value is another. */
export function decode<T>(decoder: Decoder<T>, value: unknown): T | undefined {
  try {
    return decoder(value);
  } catch {
    return undefined;
  }
}
