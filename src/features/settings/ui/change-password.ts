import { loadConfig } from '../../../ui/shell/session/public-config.ts';
import { decodeErrorsResponse } from '../../../ui/shell/session/identity-responses.ts';
import { decode } from '../../../ui/shell/session/decode.ts';
import { formatList } from '../../../ui/kit/format-list.ts';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { toFormProblems } from '../../../ui/shell/sign-in/problem-text.ts';

interface PasswordChange {
  current: string;
  next: string;
  /** Whether API keys and assistant tokens are revoked too. */
  revokesTokens: boolean;
  /** Whether passkeys are removed too. */
  revokesPasskeys: boolean;
}

/** Returns the problems that can be found without a request. */
export function validatePasswordChange({ current, next }: Pick<PasswordChange, 'current' | 'next'>): FormProblem[] {
  const problems: FormProblem[] = [];
  if (current === '') problems.push({ field: 'current-password', message: 'Enter your current password.' });
  if ([...next].length < 8)
    problems.push({ field: 'new-password', message: 'The new password needs at least 8 characters.' });
  else if (next === current)
    problems.push({ field: 'new-password', message: 'This is your current password. Choose another one.' });
  return problems;
}

/** Says after a change of the password what has ended: other sessions, and these credentials. */
export const describeEnded = (credentials: readonly string[]): string =>
  `Password changed. ${formatList(['Your other sessions', ...credentials])} have ended.`;

const UNAVAILABLE_PROBLEM: FormProblem = {
  field: null,
  message: 'Tally cannot be reached. Check your connection and try again. Your input is kept.',
};

/**
 * Returns whether the identity provider is the embedded one. Only the embedded provider can revoke API keys,
 * assistant tokens and passkeys with a password change.
 */
export const canRevoke = (frontendApiUrl: string): boolean => frontendApiUrl.startsWith('/');

/**
 * Changes the member's password at the identity provider and ends their other sessions. Returns the problems if the
 * change fails.
 */
export async function changePassword(
  { current, next, revokesTokens, revokesPasskeys }: PasswordChange,
  send: (url: string, init: RequestInit) => Promise<Response> = fetch,
  getFrontendApiUrl: () => Promise<string> = async () => (await loadConfig()).frontend_api_url,
): Promise<FormProblem[]> {
  const form = { current_password: current, new_password: next, sign_out_of_other_sessions: 'true' };
  try {
    const base = await getFrontendApiUrl();
    const revocation = canRevoke(base) && {
      revoke_api_keys_and_tokens: String(revokesTokens),
      revoke_passkeys: String(revokesPasskeys),
    };
    const response = await send(`${base.replace(/\/$/, '')}/v1/me/change_password`, {
      method: 'POST',
      credentials: 'include',
      signal: AbortSignal.timeout(15_000),
      body: new URLSearchParams({ ...form, ...revocation }),
    });
    if (response.ok) return [];
    const errors = decode(decodeErrorsResponse, await response.json().catch(() => null))?.errors ?? [];
    if (errors.length === 0) return [{ field: null, message: `Could not change the password (${response.status}).` }];
    return errors.map(({ code, message, long_message, meta }) =>
      toProblem(code, long_message || message, meta?.param_name),
    );
  } catch {
    return [UNAVAILABLE_PROBLEM];
  }
}

function toProblem(code: string, message: string, field: string | null | undefined): FormProblem {
  if (code === 'form_password_incorrect')
    return { field: 'current-password', message: 'Current password is incorrect.' };
  const [problem] = toFormProblems([{ code, message, field: null }]);
  return { field: field === 'password' || field === 'new_password' ? 'new-password' : null, message: problem!.message };
}
