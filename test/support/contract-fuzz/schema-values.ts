import fc from 'fast-check';

export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  propertyNames?: Schema;
  items?: Schema | boolean;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

type Resolve = <T extends object>(part: T & { $ref?: string }) => T;

/** Below this depth only required parts are generated, and the first of several alternatives. */
const MAX_DEPTH = 6;

/** Texts that are known to break programs. */
const edgeCaseNumbers = [
  '',
  ' ',
  '\u0000',
  '\u202e',
  '\ud800',
  '😀'.repeat(40),
  'x'.repeat(5_000),
  "' or 1=1 --",
  '${7*7}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '=1+1',
  'null',
  'NaN',
  '-0',
  '__proto__',
  'constructor',
  '%s%n',
  '\r\nset-cookie: a=b',
];
export const edgeCaseTexts = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...edgeCaseNumbers) },
  fc.string({ maxLength: 80, unit: 'binary' }),
);

/** Any JSON value, used where a different type is required. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  edgeCaseTexts,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, -1e-9, 2 ** 53, 1.5, [], {}, [[]], { a: { b: [] } }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Returns values that the schema allows by its keywords. A pattern of the schema also applies. */
export function createValues(
  schema: Schema,
  resolve: Resolve,
  ids: readonly string[],
  depth = 0,
): fc.Arbitrary<unknown> {
  const found = resolve(schema);
  const inner = (part: Schema): fc.Arbitrary<unknown> => createValues(part, resolve, ids, depth + 1);
  if (found.const !== undefined) return fc.constant(found.const);
  if (found.enum) return fc.constantFrom(...found.enum);
  const ways = found.anyOf ?? found.oneOf;
  if (ways) return depth > MAX_DEPTH ? inner(ways.at(-1)!) : fc.oneof(...ways.map(inner));
  if (found.allOf) return inner(Object.assign({}, ...found.allOf.map((part) => resolve(part))) as Schema);
  const [type = 'any'] = [found.type].flat();
  switch (type) {
    case 'object':
      return createObjects(found, inner, depth);
    case 'array':
      return createLists(found, inner, depth);
    case 'string':
      return createTexts(found, ids);
    case 'integer':
      return fc.integer({ min: getMinimum(found, -1_000), max: Math.min(found.maximum ?? 1_000_000, 2 ** 31 - 1) });
    case 'number':
      return fc
        .double({ min: getMinimum(found, -1e9), max: found.maximum ?? 1e9, noNaN: true })
        .map((value) => Math.round(value * 100) / 100)
        .filter((value) => value > (found.exclusiveMinimum ?? -Infinity));
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

const getMinimum = ({ minimum, exclusiveMinimum }: Schema, fallback: number): number =>
  Math.max(minimum ?? fallback, exclusiveMinimum ?? fallback);

function createObjects(schema: Schema, inner: (part: Schema) => fc.Arbitrary<unknown>, depth: number) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(properties).filter((name) => depth <= MAX_DEPTH || required.includes(name));
  const model = Object.fromEntries(names.map((name) => [name, inner(properties[name]!)]));
  const knownProperties = fc.record(model, { requiredKeys: names.filter((name) => required.includes(name)) });
  if (typeof additionalProperties !== 'object' || depth > MAX_DEPTH) return knownProperties;
  const key = fc.stringMatching(/^[a-z_]{1,12}$/);
  return fc
    .tuple(knownProperties, fc.dictionary(key, inner(additionalProperties), { maxKeys: 3 }))
    .map(([knownValues, more]) => ({ ...more, ...knownValues }));
}

function createLists(
  { items, prefixItems, minItems = 0, maxItems }: Schema,
  inner: (part: Schema) => fc.Arbitrary<unknown>,
  depth: number,
) {
  if (prefixItems) return fc.tuple(...prefixItems.map(inner));
  const itemLimit = Math.max(minItems, Math.min(maxItems ?? 4, depth > MAX_DEPTH ? 0 : 4));
  return fc.array(typeof items === 'object' ? inner(items) : fc.jsonValue({ maxDepth: 1 }), {
    minLength: minItems,
    maxLength: itemLimit,
  });
}

function createTexts({ format, pattern, minLength = 0, maxLength = 40 }: Schema, ids: readonly string[]) {
  if (format === 'uuid') return ids.length > 0 ? fc.oneof(fc.constantFrom(...ids), fc.uuid()) : fc.uuid();
  if (format === 'date-time')
    return fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'date')
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
  if (format === 'uri') return fc.webUrl();
  // fast-check cannot generate characters of a Unicode class.
  const createText = pattern !== undefined && !pattern.includes('\\p{');
  if (createText) return fc.stringMatching(new RegExp(pattern, 'u'));
  const symbols = fc.constantFrom('AAPL', 'MSFT', 'VOO', 'BRK-B', 'pro', 'apple');
  const text = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 60), unit: 'grapheme' });
  return fc.oneof(
    text,
    symbols.filter((symbol) => symbol.length >= minLength && symbol.length <= maxLength),
  );
}
