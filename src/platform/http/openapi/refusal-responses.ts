import type { z } from 'zod';
import { type FailureCode, failureMessages } from '../../../errors.ts';
import { invalidRequest, refusal, type Route } from '../contract.ts';
import { statusOf } from '../status.ts';
import { addSchema, type Components, schemaOf } from './components.ts';
import { headersOf, rateLimitHeaders } from './shared-components.ts';

/** What a route of `/api` may be refused with, by status: its own refusals and those that hold by rule. */
export function refusalResponses(components: Components, route: Route): Record<string, object> {
  const byStatus = new Map<number, Map<FailureCode, z.ZodObject>>();
  for (const [code, body] of [...refusalsByRule(route), ...(route.refusals ?? [])].map(named)) {
    const status = statusOf[code];
    if (status === undefined) throw new Error(`${route.id} names a refusal that errors.ts does not know: ${code}`);
    byStatus.set(status, (byStatus.get(status) ?? new Map<FailureCode, z.ZodObject>()).set(code, body));
  }
  return Object.fromEntries([...byStatus].map(([status, bodies]) => [status, responseOf(components, status, bodies)]));
}

function refusalsByRule({ access = 'member', method, query }: Route): (FailureCode | z.ZodObject)[] {
  const isMember = access === 'member';
  const isOperator = access === 'operator';
  const isWrite = method !== 'GET';
  const codes: (FailureCode | z.ZodObject)[] = [];
  // A body is read, and judged, before a route looks whether it wants one.
  if (isWrite || query) codes.push(invalidRequest);
  if (isWrite) codes.push('PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE');
  if (isMember || isOperator) codes.push('UNAUTHENTICATED', 'RATE_LIMITED', 'UNAVAILABLE');
  if (isOperator) codes.push('NOT_CONFIGURED');
  if (isMember && isWrite) codes.push('CROSS_ORIGIN');
  return codes;
}

function named(refused: string | z.ZodObject): [FailureCode, z.ZodObject] {
  if (typeof refused === 'string') return [refused as FailureCode, refusal(refused, {})];
  return [(refused.shape['code'] as z.ZodLiteral<FailureCode>).value, refused];
}

/** A reference to the shared response for a status with these codes. */
function responseOf(components: Components, status: number, bodies: Map<FailureCode, z.ZodObject>): object {
  const codes = [...bodies.keys()].sort();
  const name = codes.map(inPascalCase).join('Or');
  components.responses[name] ??= {
    description: codes.map((code) => `${code}: ${failureMessages[code]}`).join(' '),
    headers: headersOf(
      'RequestId',
      status === 401 && 'WwwAuthenticate',
      (status === 429 || status === 503) && 'RetryAfter',
      ...(status === 429 ? rateLimitHeaders : []),
    ),
    content: { 'application/json': { schema: schemaOfAny(codes) } },
  };
  for (const [code, body] of bodies) addSchema(components, schemaName(code), schemaOf(components, body, 'output'));
  return { $ref: `#/components/responses/${name}` };
}

function schemaOfAny(codes: readonly FailureCode[]): object {
  const refs = codes.map((code) => ({ $ref: `#/components/schemas/${schemaName(code)}` }));
  if (refs.length === 1) return refs[0]!;
  const mapping = Object.fromEntries(codes.map((code, index) => [code, refs[index]!.$ref]));
  return { oneOf: refs, discriminator: { propertyName: 'code', mapping } };
}

const schemaName = (code: FailureCode): string => `${inPascalCase(code)}Refusal`;

const inPascalCase = (code: string): string =>
  code.toLowerCase().replace(/(^|_)(\w)/g, (_match, _mark: string, letter: string) => letter.toUpperCase());
