import { z } from 'zod';
import { refusals } from './provider-error.ts';
import { isId } from './read-body.ts';

/** What comes of an id; refused where it is malformed, or nothing comes of it. */
export async function orNotFound<Found>(
  what: 'user' | 'session' | 'sign in token',
  id: string,
  find: (id: string) => Promise<Found | undefined>,
): Promise<Found> {
  const found = isId(id) ? await find(id) : undefined;
  if (!found) throw refusals.notFound(what, id);
  return found;
}

/** The route's id in its path. */
export const byId = { params: z.object({ id: z.string() }) };

/** The browser library sends every write as POST and names the method beside it. */
export const sentAs = (method: 'DELETE' | 'PATCH') => ({
  schema: { querystring: z.object({ _method: z.literal(method) }) },
});
