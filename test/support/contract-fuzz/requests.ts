import fc from 'fast-check';
import { mutate } from '../arbitrary-requests.ts';
import { type Operation, resolve } from './contract.ts';
import { anyJson, edgeCaseTexts, createValues } from './schema-values.ts';

export interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
}

const encode = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const segment = encodeURIComponent((text ?? 'undefined').toWellFormed());
  // An empty segment would be another path, and URLs drop the segments `.` and `..`.
  return /^\.{0,2}$/.test(segment) ? '-' : segment;
};

/** Placeholders for ids of rows. The ids are filled in when the request is sent, since they are unknown before. */
const PLACES = Array.from({ length: 8 }, (_, i) => `00000000-0000-4000-8000-00000000000${i}`);

/** Replaces the placeholders of a request with known ids. */
export function fillPlaceholders(request: Request, ids: readonly string[]): Request {
  const fillText = (text: string): string =>
    text.replace(
      /00000000-0000-4000-8000-00000000000(\d)/g,
      (placeholder, n) => ids[ids.length - 1 - Number(n)] ?? placeholder,
    );
  return {
    ...request,
    path: fillText(request.path),
    body: request.body === undefined ? undefined : fillText(request.body),
  };
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const arbitraryByOperation = new Map<string, fc.Arbitrary<Request>>();

/** Returns requests of the operation: half of them as documented, the others with one deviation. */
export function createRequests(operation: Operation): fc.Arbitrary<Request> {
  const arbitrary = arbitraryByOperation.get(operation.id) ?? makeRequests(operation);
  arbitraryByOperation.set(operation.id, arbitrary);
  return arbitrary;
}

const BODY_MUTATIONS = ['mutate', 'mutate', 'mutate', 'replace', 'broken', 'none-at-all'];
const MUTATIONS = [...BODY_MUTATIONS, 'parameter', 'parameter', 'text/plain', 'no type', 'query', 'elsewhere'];

/** Returns bodies that match the schema, or the documented example, with placeholders for its ids. */
function createBodies({ body, example }: Operation): fc.Arbitrary<unknown> {
  if (!body) return fc.constant(undefined);
  const exampleBody: unknown = JSON.parse(JSON.stringify(example ?? null).replace(UUID, PLACES[0]!));
  return exampleBody === null
    ? createValues(body, resolve, PLACES)
    : fc.oneof(createValues(body, resolve, PLACES), fc.constant(exampleBody));
}

function makeRequests(operation: Operation): fc.Arbitrary<Request> {
  const parts = operation.parameters.map(({ schema, in: location, required = false, example }) => {
    const exampleValue = fc.constant(typeof example === 'string' ? example.replace(UUID, PLACES[0]!) : example);
    const validSchema = createValues(schema, resolve, PLACES);
    // The document declares a path that ends in an id as text.
    const ways = [validSchema, ...(location === 'path' ? [fc.constantFrom(...PLACES)] : [])];
    const value = fc.oneof(...ways, ...(example === undefined ? [] : ways.map(() => exampleValue)));
    return fc.record({ value, wrong: edgeCaseTexts, isLeft: required ? fc.constant(false) : fc.boolean() });
  });
  return fc
    .record({
      values: fc.tuple(...parts),
      body: createBodies(operation),
      twist: fc.oneof(fc.constant('none'), fc.constantFrom(...MUTATIONS)),
      choices: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
      other: anyJson,
      more: fc.constantFrom('x=1', '__proto__=1', 'limit=-1&limit=2', '%00=%FF'),
    })
    .map(({ values, body, twist: mutation, choices, other, more }) => {
      let { path } = operation;
      const query: string[] = mutation === 'query' ? [more] : [];
      const headers: Record<string, string> = mutation === 'elsewhere' ? { origin: 'https://elsewhere.example' } : {};
      if (operation.path.startsWith('/v1/')) headers['svc-version'] = '2023-06-01';
      for (const [i, { name, in: location }] of operation.parameters.entries()) {
        const { value, wrong: invalidPart, isLeft } = values[i]!;
        const given = mutation === 'parameter' && choices[0]! % operation.parameters.length === i ? invalidPart : value;
        if (location === 'path') path = path.replace(`{${name}}`, encode(given));
        else if (!isLeft && location === 'query') query.push(`${name}=${encode(given)}`);
        // A header allows no other characters. Version headers have few valid values.
        else if (location === 'header' && given === invalidPart)
          headers[name] = invalidPart.replace(/[^\x21-\x7e]/g, '').slice(0, 200);
      }
      const text = operation.method === 'GET' ? undefined : write(body, mutation, choices, other);
      if (text !== undefined && mutation !== 'no type')
        headers['content-type'] = mutation === 'text/plain' ? mutation : 'application/json';
      return {
        method: operation.method,
        path: query.length > 0 ? `${path}?${query.join('&')}` : path,
        headers,
        body: text,
      };
    });
}

function write(body: unknown, change: string, choices: readonly number[], other: unknown): string | undefined {
  let left = [...choices];
  const choose = (): number => {
    const [next = 7, ...rest] = left;
    left = rest;
    return next;
  };
  if (change === 'none-at-all') return undefined;
  if (change === 'replace') return JSON.stringify(other);
  if (body === undefined) return undefined;
  if (change === 'broken') return JSON.stringify(body).slice(0, -1 - (choose() % 5));
  if (change === 'mutate' && typeof body === 'object') return JSON.stringify(mutate(body, choose, other));
  return JSON.stringify(body);
}
