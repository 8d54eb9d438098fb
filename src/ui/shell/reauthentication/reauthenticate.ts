import type { FormProblem } from '../../kit/form-errors.tsx';
import { callFrontendApi } from '../session/call-frontend-api.ts';
import { decode, fields, text } from '../session/decode.ts';
import { toFormProblems } from '../sign-in/problem-text.ts';

/** Names of the fields of password and code in a form that changes the account. */
export const PASSWORD_FIELD = 'confirm-password';
export const CODE_FIELD = 'confirm-code';

const decodeVerification = fields({ response: fields({ status: text }) });

/**
 * Confirms the session with the password, and with a code if the member has an authenticator app. Changes of
 * credentials require it. Returns the problems of the form.
 */
export async function reauthenticate(sessionId: string, password: string, code: string): Promise<FormProblem[]> {
  const path = `/v1/client/sessions/${encodeURIComponent(sessionId)}/verify`;
  const first = await callFrontendApi('POST', `${path}/attempt_first_factor`, { strategy: 'password', password });
  if (!first.ok) {
    if (first.problems[0]?.code !== 'form_password_incorrect') return toFormProblems(first.problems);
    return [{ field: PASSWORD_FIELD, message: 'Password is incorrect.' }];
  }
  if (decode(decodeVerification, first.body)?.response.status !== 'needs_second_factor') return [];
  if (code === '') return [{ field: CODE_FIELD, message: 'Enter the code of your authenticator app.' }];
  const strategy = /^\d{3} ?\d{3}$/.test(code) ? 'totp' : 'backup_code';
  const second = await callFrontendApi('POST', `${path}/attempt_second_factor`, { strategy, code });
  if (second.ok) return [];
  if (second.problems[0]?.code !== 'form_code_incorrect') return toFormProblems(second.problems);
  return [{ field: CODE_FIELD, message: 'This code is incorrect.' }];
}
