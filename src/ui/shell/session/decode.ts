/**
 * Decodes an unknown value as `T` and throws if the type is wrong. Hand-written, because a schema library would add a
 * twentieth to every page's script for four responses.
 */
export type Decoder<T> = (value: unknown) => T;

/** Result type of a decoder. */
export type Decoded<S> = S extends Decoder<infer T> ? T : never;

export const text: Decoder<string> = (value) => {
  if (typeof value !== 'string') throw new TypeError(`expected a string, got ${typeof value}`);
  return value;
};

/** Decodes a value that may be null or absent. Returns null in both cases. */
export const optional =
  <T>(decoder: Decoder<T>): Decoder<T | null> =>
  (value) =>
    value === null || value === undefined ? null : decoder(value);

export const list =
  <T>(decoder: Decoder<T>): Decoder<T[]> =>
  (value) => {
    if (!Array.isArray(value)) throw new TypeError(`expected an array, got ${typeof value}`);
    return value.map((element) => decoder(element));
  };

/** Decodes an object with at least these fields and omits the others. */
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

/** Decodes a value, or returns undefined if the type is wrong. */
export function decode<T>(decoder: Decoder<T>, value: unknown): T | undefined {
  try {
    return decoder(value);
  } catch {
    return undefined;
  }
}
