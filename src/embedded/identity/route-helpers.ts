import { z } from 'zod';
import { providerErrors } from './provider-error.ts';
import { isId } from './read-body.ts';

/** Returns the result of the look-up. Throws if the id is malformed or the look-up finds nothing. */
export async function findOrThrow<Found>(
  resource: 'user' | 'session' | 'sign in token' | 'invitation',
  id: string,
  find: (id: string) => Promise<Found | undefined>,
): Promise<Found> {
  const found = isId(id) ? await find(id) : undefined;
  if (!found) throw providerErrors.notFound(resource, id);
  return found;
}

/** Schema of a route with an id in its path. */
export const idParamsSchema = { params: z.object({ id: z.string() }) };

/**
 * Returns the constraint of a method override. The browser library sends every write as POST and puts the method into
 * the query.
 */
export const getMethodOverride = (method: 'DELETE' | 'PATCH') => ({
  schema: { querystring: z.object({ _method: z.literal(method) }) },
});
