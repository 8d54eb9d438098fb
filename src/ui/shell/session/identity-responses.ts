import { fields, list, optional, type Decoded, text } from './decode.ts';

/** Fields of the hosted provider's Frontend API that the pages read. All other fields are ignored. */
const decodeSession = fields({
  id: text,
  status: text,
  user: optional(
    fields({
      id: text,
      primary_email_address_id: optional(text),
      email_addresses: list(fields({ id: optional(text), email_address: text })),
    }),
  ),
  last_active_token: optional(fields({ jwt: text })),
});

const decodeClient = fields({ sessions: list(decodeSession), last_active_session_id: optional(text) });

export type ClientResponse = Decoded<typeof decodeClient>;

/**
 * Response of `GET …/client`. `response` is the client, and null before the first sign-in. A body without `response` is
 * invalid.
 */
export const decodeClientResponse = fields({
  response: (value) => (value === null ? null : decodeClient(value)),
});

/** Response of sign-up and sign-in attempts. The client is next to the response. */
export const decodeAttemptResponse = fields({
  response: fields({
    id: optional(text),
    status: text,
    created_session_id: optional(text),
    supported_second_factors: optional(list(fields({ strategy: text }))),
  }),
  client: optional(decodeClient),
});

export const decodeTokenResponse = fields({ jwt: text });

export const decodeErrorsResponse = fields({
  errors: list(
    fields({
      code: text,
      message: text,
      long_message: optional(text),
      meta: optional(fields({ param_name: optional(text) })),
    }),
  ),
});
