import { queryOptions } from '@tanstack/react-query';
import { type Decoder, fields } from '../session/decode.ts';
import { readFrontendApi } from '../session/read-frontend-api.ts';

const boolean: Decoder<boolean> = (value) => {
  if (typeof value !== 'boolean') throw new TypeError(`expected a boolean, got ${typeof value}`);
  return value;
};

const decodeMe = fields({ response: fields({ totp_enabled: boolean, backup_code_enabled: boolean }) });

/** What the member proves beside the password. */
export interface AccountFactors {
  hasApp: boolean;
  hasRecoveryCodes: boolean;
}

/** Reads whether the member has an authenticator app and recovery codes, from the embedded identity provider. */
export const accountFactorsQuery = queryOptions({
  queryKey: ['identity', 'factors'],
  queryFn: async (): Promise<AccountFactors> => {
    const { response } = await readFrontendApi('/v1/me', decodeMe, 'Your two-step verification cannot be read.');
    return { hasApp: response.totp_enabled, hasRecoveryCodes: response.backup_code_enabled };
  },
});
