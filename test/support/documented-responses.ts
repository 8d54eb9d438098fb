import assert from 'node:assert/strict';

import type { HttpApp } from '../../src/platform/http/app-type.ts';
import { apiDocument, apiRoutes } from './documented-routes.ts';
import type { ApiResponse } from './identity.ts';

/**
 * Response and request headers that the document must name where they occur. `etag` is required for successful reads.
 */
const documentedResponses = ['x-request-id', 'retry-after', 'www-authenticate'];
const documentedRequests = ['if-none-match', 'x-demo-tour'];

/**
 * Compares a response with docs/reference/openapi.json. The route must document its status, media type, error code,
 * response headers, the headers that were `sent`, and the required credential. Unknown routes and 5xx errors are
 * ignored.
 */
export function assertDocumented(
  method: string,
  path: string,
  { status, headers, body }: ApiResponse,
  sent: Readonly<Record<string, string>> = {},
): void {
  const { pathname } = new URL(path, 'http://localhost');
  const operation = apiRoutes
    .filter(({ pattern }) => pattern.test(pathname))
    .map(({ operations }) => operations[method.toLowerCase()])
    .find((found) => found !== undefined);
  if (!operation || status === 500) return;
  const description = `docs/reference/openapi.json does not say that ${method} ${path} may answer ${status}`;
  assert.ok(operation.responses[status], `${description} (${JSON.stringify(body).slice(0, 200)})`);
  const named = resolve(operation.responses[status]);
  if (status >= 400) assert.ok(collectErrorCodes(named).has(body.code), `${description} ${body.code}`);
  if (status === 401)
    assert.ok(
      operation.security.length > 0,
      `docs/reference/openapi.json does not say how to sign in for ${method} ${path}`,
    );

  // A 304 has the content type of the omitted body.
  const mediaType = body === '' ? undefined : headers.get('content-type')?.split(';')[0];
  assert.ok(
    mediaType === undefined ? named.content === undefined : named.content?.[mediaType] !== undefined,
    `${description} with ${mediaType ?? 'nothing'}`,
  );
  const isRead = method === 'GET' && (status === 200 || status === 304);
  for (const name of isRead ? [...documentedResponses, 'etag'] : documentedResponses)
    assert.equal(
      named.headers?.[name] !== undefined,
      headers.has(name),
      `${description} ${headers.has(name) ? 'with' : 'without'} ${name}`,
    );
  const parameterNames = (operation.parameters ?? []).map((parameter) => resolve<{ name?: string }>(parameter).name);
  for (const name of documentedRequests)
    if (name in sent)
      assert.ok(
        parameterNames.includes(name),
        `docs/reference/openapi.json does not say that ${method} ${path} takes ${name}`,
      );
}

/** Reads an address of an app that does not listen, and compares the response with docs/reference/openapi.json. */
export async function injectDocumented(app: HttpApp, path: string, sent: Record<string, string> = {}) {
  const response = await app.inject({ url: path, headers: sent });
  const headers = new Headers();
  for (const [name, value] of Object.entries(response.headers)) headers.set(name, String(value));
  const body: unknown =
    headers.get('content-type')?.startsWith('application/json') && response.body !== ''
      ? response.json()
      : response.body;
  assertDocumented('GET', path, { status: response.statusCode, headers, body }, sent);
  return response;
}

function resolve<T extends object>(part: T & { $ref?: string }): T {
  if (part.$ref === undefined) return part;
  return part.$ref
    .replace('#/', '')
    .split('/')
    .reduce((at, key) => (at as Record<string, object>)[key]!, apiDocument as object) as T;
}

/** Returns every value of an enumeration or constant in the schema, including references. */
function collectErrorCodes(schema: unknown): Set<unknown> {
  if (typeof schema !== 'object' || schema === null) return new Set();
  const { enum: alternatives = [], const: one, ...parts } = resolve(schema) as { enum?: unknown[]; const?: unknown };
  return new Set([...alternatives, one, ...Object.values(parts).flatMap((part) => [...collectErrorCodes(part)])]);
}
