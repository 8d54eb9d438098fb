import { z } from 'zod';
import { toPublicObject, type Store } from '../store.ts';

/** API call with the id of its path and its parameters. */
interface Call<Params> {
  id: string;
  params: Params;
}

/** Handler of a call: the schema of its parameters, and one transaction on the store. */
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

/** Returns one page after `starting_after`, newest first. */
export function toPage(
  found: readonly { id: string }[],
  params: { limit?: number | undefined; starting_after?: string | undefined },
) {
  const from = params.starting_after ? found.findIndex(({ id }) => id === params.starting_after) + 1 : 0;
  const data = found.slice(from, from + (params.limit ?? 10));
  return { object: 'list', data: data.map(toPublicObject), has_more: from + data.length < found.length, url: '/v1' };
}

/** Returns the origin that the visitor's browser used. The visitor returns there. */
export const getOrigin = (url: string): string => new URL(url).origin;
