import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { toFormProblems } from '../../../ui/shell/sign-in/problem-text.ts';

/**
 * Confirms the session with the password, which changes of credentials require. Returns the problems of the form, those
 * of the password at `field`.
 */
export async function reenterPassword(sessionId: string, password: string, field: string): Promise<FormProblem[]> {
  const path = `/v1/client/sessions/${encodeURIComponent(sessionId)}/verify/attempt_first_factor`;
  const result = await callFrontendApi('POST', path, { strategy: 'password', password });
  if (result.ok) return [];
  if (result.problems[0]?.code === 'form_password_incorrect') return [{ field, message: 'Password is incorrect.' }];
  return toFormProblems(result.problems);
}
