import { fields, listOf, optional, type Read, text } from './shapes.ts';

/** The few fields of the hosted provider's Frontend API that the pages read; everything else is let through unread. */
const session = fields({
  id: text,
  status: text,
  user: optional(
    fields({
      id: text,
      primary_email_address_id: optional(text),
      email_addresses: listOf(fields({ id: optional(text), email_address: text })),
    }),
  ),
  last_active_token: optional(fields({ jwt: text })),
});

const client = fields({ sessions: listOf(session), last_active_session_id: optional(text) });

export type ClientAnswer = Read<typeof client>;

/** `GET …/client`: the client is the response itself, null before the first sign-in; absent, it is no such answer. */
export const clientAnswer = fields({
  response: (value) => (value === null ? null : client(value)),
});

/** Sign-up and sign-in attempts: the client travels beside the response. */
export const attemptAnswer = fields({
  response: fields({ status: text, created_session_id: optional(text) }),
  client: optional(client),
});

export const tokenAnswer = fields({ jwt: text });

export const errorsAnswer = fields({
  errors: listOf(
    fields({
      code: text,
      message: text,
      long_message: optional(text),
      meta: optional(fields({ param_name: optional(text) })),
    }),
  ),
});
