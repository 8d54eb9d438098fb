import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { decode, fields, text } from '../session/decode.ts';
import { callFrontendApi } from '../session/call-frontend-api.ts';
import { session } from '../session/session.ts';
import type { FormProblem } from '../../kit/form-errors.tsx';
import { toFormProblems, UNREADABLE_RESPONSE } from './problem-text.ts';
import { toSignInProblems } from './sign-in-problems.ts';

const decodeSignIn = fields({
  response: fields({ id: text, first_factor_verification: fields({ nonce: text }) }),
});
const decodePasskey = fields({ response: fields({ id: text, verification: fields({ nonce: text }) }) });

/** Signs in with a passkey that the visitor chooses. Returns the problems, or none after a success. */
export async function signInWithPasskey(): Promise<readonly FormProblem[]> {
  const started = await callFrontendApi('POST', '/v1/client/sign_ins', { strategy: 'passkey' });
  if (!started.ok) return toSignInProblems(started.problems);
  const attempt = decode(decodeSignIn, started.body)?.response;
  if (!attempt) return UNREADABLE_RESPONSE;
  try {
    const credential = await startAuthentication({ optionsJSON: JSON.parse(attempt.first_factor_verification.nonce) });
    const result = await session.signInByPasskey({ id: attempt.id, credential: JSON.stringify(credential) });
    return result.ok ? [] : await toSignInProblems(result.problems);
  } catch (error) {
    return [{ field: null, message: describeError(error) }];
  }
}

/** Creates a passkey and adds it to the account. Returns the problems, or none after a success. */
export async function addPasskey(): Promise<readonly FormProblem[]> {
  const started = await callFrontendApi('POST', '/v1/me/passkeys');
  if (!started.ok) return toFormProblems(started.problems);
  const passkey = decode(decodePasskey, started.body)?.response;
  if (!passkey) return UNREADABLE_RESPONSE;
  try {
    const credential = await startRegistration({ optionsJSON: JSON.parse(passkey.verification.nonce) });
    const path = `/v1/me/passkeys/${encodeURIComponent(passkey.id)}/attempt_verification`;
    const form = { strategy: 'passkey', public_key_credential: JSON.stringify(credential) };
    const result = await callFrontendApi('POST', path, form);
    return result.ok ? [] : toFormProblems(result.problems);
  } catch (error) {
    return [{ field: null, message: describeError(error) }];
  }
}

/** Returns the text for an error of the browser, which reports a canceled dialog and a missing passkey alike. */
function describeError(error: unknown): string {
  const code = error instanceof WebAuthnError ? error.code : undefined;
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') return 'This device has a passkey of your account already.';
  if (code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT')
    return 'This device cannot check your fingerprint, face or PIN. Use another one.';
  return 'No passkey was used. Try again, or use your password.';
}
