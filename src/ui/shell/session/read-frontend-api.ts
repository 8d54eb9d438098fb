import { ApiError } from '../../kit/api-error.ts';
import { callFrontendApi } from './call-frontend-api.ts';
import { decode, type Decoder } from './decode.ts';
import { session } from './session.ts';

/**
 * Reads a path of the identity provider's API for browsers as the signed-in member. If the session has ended, it waits
 * until the member has signed in again, and repeats the request. Throws an `ApiError` with `errorMessage` if the request
 * fails or its response cannot be decoded.
 */
export async function readFrontendApi<T>(path: string, decoder: Decoder<T>, errorMessage: string): Promise<T> {
  let result = await callFrontendApi('GET', path);
  if (!result.ok && result.status === 401) {
    await session.waitForReauthentication();
    result = await callFrontendApi('GET', path);
  }
  const decoded = result.ok ? decode(decoder, result.body) : undefined;
  if (decoded === undefined) throw new ApiError(0, 'UNREACHABLE', errorMessage);
  return decoded;
}
