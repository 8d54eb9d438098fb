import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Answer } from './identity.ts';

type Operations = Readonly<Record<string, { responses: Readonly<Record<string, object>> }>>;
const { paths } = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8')) as { paths: Readonly<Record<string, Operations>> };
const routes = Object.entries(paths).map(([path, operations]) => ({ pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{\w+\}/g, '[^/]+')}$`), operations }));

/** Holds an answer to docs/openapi.json: the route names its status, and a refusal's code. What is no route, 304 and faults of ours are passed over. */
export function assertDocumented(method: string, path: string, { status, body }: Pick<Answer, 'status' | 'body'>): void {
  const { pathname } = new URL(path, 'http://localhost');
  const operation = routes.filter(({ pattern }) => pattern.test(pathname)).map(({ operations }) => operations[method.toLowerCase()]).find((found) => found !== undefined);
  if (!operation || status === 304 || status === 500) return;
  const named = operation.responses[status];
  assert.ok(named, `docs/openapi.json does not say that ${method} ${path} may answer ${status} (${JSON.stringify(body).slice(0, 200)})`);
  if (status >= 400) assert.ok(codesIn(named).has(body.code), `docs/openapi.json does not say that ${method} ${path} may answer ${status} ${body.code}`);
}

/** Every value that an enumeration or a constant of the schema allows. */
function codesIn(schema: unknown): Set<unknown> {
  if (typeof schema !== 'object' || schema === null) return new Set();
  const { enum: several = [], const: one } = schema as { enum?: unknown[]; const?: unknown };
  return new Set([...several, one, ...Object.values(schema).flatMap((part) => [...codesIn(part)])]);
}
