import { z } from 'zod';
import { providerErrors } from './provider-error.ts';
import { isId } from './read-body.ts';

/** What comes of an id; refused where it is malformed, or nothing comes of it. */
export async function findOrThrow<Found>(
  resource: 'user' | 'session' | 'sign in token',
  id: string,
  find: (id: string) => Promise<Found | undefined>,
): Promise<Found> {
  const found = isId(id) ? await find(id) : undefined;
  if (!found) throw providerErrors.notFound(resource, id);
  return found;
}

/** The route's id in its path. */
export const idParamsSchema = { params: z.object({ id: z.string() }) };

/** The browser library sends every write as POST and names the method beside it. */
export const getMethodOverride = (method: 'DELETE' | 'PATCH') => ({
  schema: { querystring: z.object({ _method: z.literal(method) }) },
});
