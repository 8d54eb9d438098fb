import type { FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import type { HttpApp } from './app-type.ts';

/** Returns whether the database can store a text: it rejects NUL and lone surrogates. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/**
 * Returns the dotted path of the first text or key within `value` that the database cannot store, or undefined if there
 * is none.
 */
export function findUnstorablePath(value: unknown): string | undefined {
  // A stack in place of recursion: bodies may be nested deeper than the call stack.
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
 * Rejects parameters, queries and bodies with text that the database cannot store, on every route. A path with such
 * text is 404, anything else INVALID_REQUEST. A route that reads a body as bytes must check it.
 */
export function rejectUnstorableText(app: HttpApp): void {
  app.addHook('preValidation', async (request) => {
    if (findUnstorablePath(request.params) !== undefined) throw new AppError('NOT_FOUND');
    const path =
      (declaresQuery(request) ? findUnstorablePath(request.query) : undefined) ?? findUnstorablePath(request.body);
    if (path === undefined) return;
    throw new AppError('INVALID_REQUEST', {
      issues: [{ path, message: 'must not contain a NUL character or a lone surrogate' }],
    });
  });
}

/** Returns whether a route of a contract declares a query. Other routes may read any parameters. */
function declaresQuery({ routeOptions }: FastifyRequest): boolean {
  const { definition } = routeOptions.config;
  return definition === undefined || definition.query !== undefined;
}
