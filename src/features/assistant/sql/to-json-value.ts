import pg from 'pg';

/** A value of a result in JSON. */
export type JsonValue = string | number | boolean | null;

const builtins: Readonly<Record<string, number>> = pg.types.builtins;
const NUMBERS: ReadonlySet<number | undefined> = new Set([
  builtins.INT2,
  builtins.INT4,
  builtins.INT8,
  builtins.FLOAT4,
  builtins.FLOAT8,
  builtins.NUMERIC,
]);

/** Converts a value from the server's text format to JSON: finite numbers to numbers, times to ISO 8601 in UTC. */
export function toJsonValue(text: string | null, type: number): JsonValue {
  if (text === null) return null;
  if (NUMBERS.has(type)) return Number.isFinite(Number(text)) ? Number(text) : text;
  if (type === builtins.BOOL) return text === 't';
  if (type === builtins.TIMESTAMPTZ || type === builtins.TIMESTAMP) {
    const time = new Date(type === builtins.TIMESTAMP ? `${text}Z` : text);
    return Number.isNaN(time.getTime()) ? text : time.toISOString();
  }
  return text;
}
