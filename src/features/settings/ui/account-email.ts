import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { decode, fields, list, optional, text } from '../../../ui/shell/session/decode.ts';

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
    const result = await callFrontendApi('GET', '/v1/me');
    const me = result.ok ? decode(decodeMe, result.body)?.response : undefined;
    const addresses = me?.email_addresses.map(({ id, email_address: email, verification }) => ({
      id,
      email,
      isVerified: verification?.status === 'verified',
    }));
    const current = addresses?.find(({ id }) => id === me?.primary_email_address_id);
    if (!current) throw new ApiError(0, 'UNREACHABLE', 'The state of your email cannot be read.');
    return { current, next: addresses?.find(({ id }) => id !== current.id) ?? null };
  },
});
