import { z } from 'zod';

/** A parameter that may come once or several times, as libraries repeat it or write it with brackets. */
const stringListParam = z
  .union([z.string().transform((value) => [value]), z.array(z.string())])
  .refine((values) => values.length <= 100 && !values.some((text) => text.includes('\0')), {
    error: 'must be at most 100 values.',
  });

const integerParam = z.string().regex(/^\d{1,6}$/, { error: 'must be a whole number.' });

/** Query of the Backend API's lists; what has no meaning here is ignored, as the hosted provider does. */
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

/** 10 a page by default, 500 at most, as documented. */
export function toPage(query: { limit?: string | undefined; offset?: string | undefined }): Page {
  return { limit: Math.min(500, Math.max(1, Number(query.limit ?? 10))), offset: Number(query.offset ?? 0) };
}
