import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../kit/api-error.ts';
import { callFrontendApi } from '../session/call-frontend-api.ts';
import { decode, type Decoder, fields } from '../session/decode.ts';

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
    const result = await callFrontendApi('GET', '/v1/me');
    const me = result.ok ? decode(decodeMe, result.body)?.response : undefined;
    if (!me) throw new ApiError(0, 'UNREACHABLE', 'Your two-step verification cannot be read.');
    return { hasApp: me.totp_enabled, hasRecoveryCodes: me.backup_code_enabled };
  },
});
