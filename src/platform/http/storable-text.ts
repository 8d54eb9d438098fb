import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';

/** Whether the database can keep a text: it takes no NUL and no half of a surrogate pair. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** The dotted path of the first text or key within `value` that the database cannot keep; undefined without one. */
export function findUnstorablePath(value: unknown): string | undefined {
  // A list instead of recursion: bodies may be nested deeper than the call stack.
  const stack: { path: string; value: unknown }[] = [{ path: '', value }];
  for (let entry = stack.pop(); entry; entry = stack.pop()) {
    const { path, value: current } = entry;
    if (typeof current === 'string' && !isStorable(current)) return path;
    if (typeof current !== 'object' || current === null || ArrayBuffer.isView(current)) continue;
    const entries = current instanceof URLSearchParams ? [...current] : Object.entries(current);
    for (const [key, child] of entries) {
      const childPath = path === '' ? key : `${path}.${key}`;
      if (!isStorable(key)) return childPath;
      stack.push({ path: childPath, value: child });
    }
  }
  return undefined;
}

/**
 * Refuses parameters, queries and bodies with text that the database cannot keep, on every route: a path with it names
 * nothing (404), elsewhere it is INVALID_REQUEST. Bodies that a route takes as bytes are its own to check.
 */
export function rejectUnstorableText(app: HttpApp): void {
  app.addHook('preValidation', async (request) => {
    if (findUnstorablePath(request.params) !== undefined) throw new AppError('NOT_FOUND');
    const path =
      (declaresQuery(request) ? findUnstorablePath(request.query) : undefined) ?? findUnstorablePath(request.body);
    if (path === undefined) return;
    throw new AppError('INVALID_REQUEST', {
      issues: [{ path, message: 'must not contain a NUL character or half of a surrogate pair' }],
    });
  });
}

/** A route of a contract reads the query that it declares; others read what they like. */
function declaresQuery({ routeOptions }: FastifyRequest): boolean {
  const { definition } = routeOptions.config;
  return definition === undefined || definition.query !== undefined;
}
