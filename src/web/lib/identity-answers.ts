import * as z from 'zod/mini';

/** The few fields of the hosted provider's Frontend API that the pages read; everything else is let through unread. */
const session = z.object({
  id: z.string(),
  status: z.string(),
  user: z.nullish(
    z.object({
      id: z.string(),
      primary_email_address_id: z.nullish(z.string()),
      email_addresses: z.array(z.object({ id: z.nullish(z.string()), email_address: z.string() })),
    }),
  ),
  last_active_token: z.nullish(z.object({ jwt: z.string() })),
});

const client = z.object({ sessions: z.array(session), last_active_session_id: z.nullish(z.string()) });

export type ClientAnswer = z.infer<typeof client>;

/** `GET …/client`: the client is the response itself, null before the first sign-in. */
export const clientAnswer = z.object({ response: z.nullable(client) });

/** Sign-up and sign-in attempts: the client travels beside the response. */
export const attemptAnswer = z.object({
  response: z.object({ status: z.string(), created_session_id: z.nullish(z.string()) }),
  client: z.nullish(client),
});

export const tokenAnswer = z.object({ jwt: z.string() });

export const errorsAnswer = z.object({
  errors: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      long_message: z.nullish(z.string()),
      meta: z.nullish(z.object({ param_name: z.nullish(z.string()) })),
    }),
  ),
});
