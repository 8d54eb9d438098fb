import { z } from 'zod';

/** A parameter with one or several values, repeated or written with brackets, as libraries send it. */
const stringListParam = z
  .union([z.string().transform((value) => [value]), z.array(z.string())])
  .refine((values) => values.length <= 100 && !values.some((text) => text.includes('\0')), {
    error: 'must be at most 100 values.',
  });

const integerParam = z.string().regex(/^\d{1,6}$/, { error: 'must be a whole number.' });

/** Query of the Backend API's lists. Unsupported parameters are ignored, as at the hosted provider. */
export const listQuery = z.object({
  limit: integerParam.optional(),
  offset: integerParam.optional(),
  email_address: stringListParam.optional(),
  user_id: stringListParam.optional(),
  client_id: stringListParam.optional(),
  status: stringListParam.optional(),
  paginated: z.string().optional(),
});

export interface Page {
  limit: number;
  offset: number;
}

/** Returns the page: by default 10 entries, at most 500, as documented. */
export function toPage(query: { limit?: string | undefined; offset?: string | undefined }): Page {
  return { limit: Math.min(500, Math.max(1, Number(query.limit ?? 10))), offset: Number(query.offset ?? 0) };
}
