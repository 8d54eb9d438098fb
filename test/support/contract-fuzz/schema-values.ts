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

/** Deeper than this only what is required is made, and of several ways the first. */
const DEEPEST = 6;

/** Texts that have made programs stumble. */
const odd = [
  ...[
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
  ],
  ...[
    '<script>alert(1)</script>',
    '=1+1',
    'null',
    'NaN',
    '-0',
    '__proto__',
    'constructor',
    '%s%n',
    '\r\nset-cookie: a=b',
  ],
];
export const oddText = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...odd) },
  fc.string({ maxLength: 80, unit: 'binary' }),
);

/** Any value at all, for a place where another is wanted. */
export const anything: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1e308, -1e-9, 2 ** 53, 1.5, [], {}, [[]], { a: { b: [] } }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Values that the schema allows, by its keywords; what only the schema's pattern says is met by fast-check too. */
export function valuesOf(schema: Schema, resolve: Resolve, ids: readonly string[], depth = 0): fc.Arbitrary<unknown> {
  const found = resolve(schema);
  const inner = (part: Schema): fc.Arbitrary<unknown> => valuesOf(part, resolve, ids, depth + 1);
  if (found.const !== undefined) return fc.constant(found.const);
  if (found.enum) return fc.constantFrom(...found.enum);
  const ways = found.anyOf ?? found.oneOf;
  if (ways) return depth > DEEPEST ? inner(ways.at(-1)!) : fc.oneof(...ways.map(inner));
  if (found.allOf) return inner(Object.assign({}, ...found.allOf.map((part) => resolve(part))) as Schema);
  const [type = 'any'] = [found.type].flat();
  switch (type) {
    case 'object':
      return objectsOf(found, inner, depth);
    case 'array':
      return listsOf(found, inner, depth);
    case 'string':
      return textsOf(found, ids);
    case 'integer':
      return fc.integer({ min: leastOf(found, -1_000), max: Math.min(found.maximum ?? 1_000_000, 2 ** 31 - 1) });
    case 'number':
      return fc
        .double({ min: leastOf(found, -1e9), max: found.maximum ?? 1e9, noNaN: true })
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

const leastOf = ({ minimum, exclusiveMinimum }: Schema, otherwise: number): number =>
  Math.max(minimum ?? otherwise, exclusiveMinimum ?? otherwise);

function objectsOf(schema: Schema, inner: (part: Schema) => fc.Arbitrary<unknown>, depth: number) {
  const { properties = {}, required = [], additionalProperties } = schema;
  const names = Object.keys(properties).filter((name) => depth <= DEEPEST || required.includes(name));
  const model = Object.fromEntries(names.map((name) => [name, inner(properties[name]!)]));
  const known = fc.record(model, { requiredKeys: names.filter((name) => required.includes(name)) });
  if (typeof additionalProperties !== 'object' || depth > DEEPEST) return known;
  const key = fc.stringMatching(/^[a-z_]{1,12}$/);
  return fc
    .tuple(known, fc.dictionary(key, inner(additionalProperties), { maxKeys: 3 }))
    .map(([own, more]) => ({ ...more, ...own }));
}

function listsOf(
  { items, prefixItems, minItems = 0, maxItems }: Schema,
  inner: (part: Schema) => fc.Arbitrary<unknown>,
  depth: number,
) {
  if (prefixItems) return fc.tuple(...prefixItems.map(inner));
  const most = Math.max(minItems, Math.min(maxItems ?? 4, depth > DEEPEST ? 0 : 4));
  return fc.array(typeof items === 'object' ? inner(items) : fc.jsonValue({ maxDepth: 1 }), {
    minLength: minItems,
    maxLength: most,
  });
}

function textsOf({ format, pattern, minLength = 0, maxLength = 40 }: Schema, ids: readonly string[]) {
  if (format === 'uuid') return ids.length > 0 ? fc.oneof(fc.constantFrom(...ids), fc.uuid()) : fc.uuid();
  if (format === 'date-time')
    return fc.date({ min: new Date(0), noInvalidDate: true }).map((date) => date.toISOString());
  if (format === 'date')
    return fc
      .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
  if (format === 'uri') return fc.webUrl();
  // fast-check does not make signs of a Unicode class.
  const makes = pattern !== undefined && !pattern.includes('\\p{');
  if (makes) return fc.stringMatching(new RegExp(pattern, 'u'));
  const symbols = fc.constantFrom('AAPL', 'MSFT', 'VOO', 'BRK-B', 'pro', 'apple');
  const text = fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 60), unit: 'grapheme' });
  return fc.oneof(
    text,
    symbols.filter((symbol) => symbol.length >= minLength && symbol.length <= maxLength),
  );
}
