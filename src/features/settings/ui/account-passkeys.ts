import { queryOptions } from '@tanstack/react-query';
import { type Decoder, fields, list, optional, text } from '../../../ui/shell/session/decode.ts';
import { readFrontendApi } from '../../../ui/shell/session/read-frontend-api.ts';

const time: Decoder<string> = (value) => {
  if (typeof value !== 'number') throw new TypeError(`expected a number, got ${typeof value}`);
  return new Date(value).toISOString();
};

const decodeMe = fields({
  response: fields({
    passkeys: list(fields({ id: text, name: text, created_at: time, last_used_at: optional(time) })),
  }),
});

/** A passkey of the member. */
export interface AccountPasskey {
  id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** Reads the passkeys of the member from the embedded identity provider, oldest first. */
export const accountPasskeysQuery = queryOptions({
  queryKey: ['identity', 'passkeys'],
  queryFn: async (): Promise<AccountPasskey[]> => {
    const { response } = await readFrontendApi('/v1/me', decodeMe, 'Your passkeys cannot be read.');
    return response.passkeys.map(({ id, name, created_at: createdAt, last_used_at: lastUsedAt }) => ({
      id,
      name,
      createdAt,
      lastUsedAt,
    }));
  },
});
