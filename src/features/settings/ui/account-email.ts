import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { fields, list, optional, text } from '../../../ui/shell/session/decode.ts';
import { readFrontendApi } from '../../../ui/shell/session/read-frontend-api.ts';

const decodeMe = fields({
  response: fields({
    primary_email_address_id: optional(text),
    email_addresses: list(fields({ id: text, email_address: text, verification: optional(fields({ status: text })) })),
  }),
});

/** An address of the account. */
export interface AccountAddress {
  id: string;
  email: string;
  isVerified: boolean;
}

/** The address of the account, and one that replaces it once it is verified, or null. */
export interface AccountEmail {
  current: AccountAddress;
  next: AccountAddress | null;
}

/** Reads the addresses of the signed-in member from the embedded identity provider. */
export const accountEmailQuery = queryOptions({
  queryKey: ['identity', 'email'],
  queryFn: async (): Promise<AccountEmail> => {
    const unreadable = 'The state of your email cannot be read.';
    const { response } = await readFrontendApi('/v1/me', decodeMe, unreadable);
    const addresses = response.email_addresses.map(({ id, email_address: email, verification }) => ({
      id,
      email,
      isVerified: verification?.status === 'verified',
    }));
    const current = addresses.find(({ id }) => id === response.primary_email_address_id);
    if (!current) throw new ApiError(0, 'UNREACHABLE', unreadable);
    return { current, next: addresses.find(({ id }) => id !== current.id) ?? null };
  },
});
