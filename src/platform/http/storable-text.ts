import type { FastifyRequest } from 'fastify';
import { Failure } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';

/** Whether the database can keep a text: it takes no NUL and no half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The dotted path of the first text or key within `value` that the database cannot keep; undefined without one. */
export function findUnstorable(value: unknown): string | undefined {
  // A list instead of recursion: bodies may be nested deeper than the call stack.
  const waiting: { path: string; value: unknown }[] = [{ path: '', value }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, value: part } = next;
    if (typeof part === 'string' && !isStorable(part)) return path;
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue;
    const entries = part instanceof URLSearchParams ? [...part] : Object.entries(part);
    for (const [key, child] of entries) {
      const place = path === '' ? key : `${path}.${key}`;
      if (!isStorable(key)) return place;
      waiting.push({ path: place, value: child });
    }
  }
  return undefined;
}

/**
 * Refuses parameters, queries and bodies with text that the database cannot keep, on every route: a path with it names
 * nothing (404), elsewhere it is INVALID_REQUEST. Bodies that a route takes as bytes are its own to check.
 */
export function refuseUnstorableText(app: HttpApp): void {
  app.addHook('preValidation', async (request) => {
    if (findUnstorable(request.params) !== undefined) throw new Failure('NOT_FOUND');
    const path = (readsQuery(request) ? findUnstorable(request.query) : undefined) ?? findUnstorable(request.body);
    if (path === undefined) return;
    throw new Failure('INVALID_REQUEST', {
      issues: [{ path, message: 'must not contain a NUL character or half of a surrogate pair' }],
    });
  });
}

/** A route of a contract reads the query that it declares; others read what they like. */
function readsQuery({ routeOptions }: FastifyRequest): boolean {
  const { definition } = routeOptions.config;
  return definition === undefined || definition.query !== undefined;
}
