import { z } from 'zod';
import { toPublicObject, type Store } from '../store.ts';

/** A call of the API: the id in its address, and its parameters. */
interface Call<Given> {
  id: string;
  given: Given;
}

/** How a call is answered: the shape of its parameters, and one step on the store. */
export interface Handler {
  shape: z.ZodType;
  run(store: Store, call: Call<never>): Promise<object>;
}

export type Handlers = Readonly<Record<`${'GET' | 'POST' | 'DELETE'} /${string}`, Handler>>;

export const handler = <Shape extends z.ZodRawShape>(
  shape: Shape,
  run: (store: Store, call: Call<z.output<z.ZodObject<Shape>>>) => Promise<object>,
): Handler => ({ shape: z.strictObject(shape), run });

export const integer = z.coerce.number().int();
export const booleanFlag = z.enum(['true', 'false']).transform((text) => text === 'true');
export const metadata = z.record(z.string(), z.string()).optional();
export const items = z.array(
  z.strictObject({ id: z.string().optional(), price: z.string(), quantity: integer.optional() }),
);
export const page = {
  limit: integer.optional(),
  starting_after: z.string().optional(),
  expand: z.array(z.string()).optional(),
};

/** One page behind `starting_after`, the newest first. */
export function toPage(
  found: readonly { id: string }[],
  given: { limit?: number | undefined; starting_after?: string | undefined },
) {
  const from = given.starting_after ? found.findIndex(({ id }) => id === given.starting_after) + 1 : 0;
  const data = found.slice(from, from + (given.limit ?? 10));
  return { object: 'list', data: data.map(toPublicObject), has_more: from + data.length < found.length, url: '/v1' };
}

/** The service's address as a visitor spells it, to which they return. */
export const getOrigin = (url: string): string => new URL(url).origin;
