/** Users of the sandbox sign-ins. docs/how-to/connect-providers.md says what each does. */
const TEST_USERS: ReadonlySet<string> = new Set([
  'user_good',
  'user_slow',
  'user_late',
  'user_lost',
  'user_twice',
  'user_expiring',
  'user_empty',
]);

/** Delay in seconds of the webhooks of the user `user_late`. */
const LATE_WEBHOOK_SECONDS = 60;

/** Returns how many times a webhook of the user is delivered, and after how many seconds. */
export const getDelivery = (user: string | undefined): { times: number; afterSeconds: number } => {
  const repeats = user === 'user_twice' ? 2 : 1;
  return {
    times: user === 'user_lost' ? 0 : repeats,
    afterSeconds: user === 'user_late' ? LATE_WEBHOOK_SECONDS : 0,
  };
};

/** Returns whether the form has the code of the second step. */
export const hasRightCode = (form: URLSearchParams): boolean => form.get('code')?.trim() === '1234';

/** Checks user and password of a form. Returns the code of an error, or the user and whether the code is asked for. */
export function checkSignIn(form: URLSearchParams): { error: string } | { user: string; asksForCode: boolean } {
  const user = form.get('user')?.trim() ?? '';
  const password = form.get('password') ?? '';
  if (!TEST_USERS.has(user)) return { error: 'INVALID_CREDENTIALS' };
  if (password === 'pass_good' || password === 'mfa_device') return { user, asksForCode: password === 'mfa_device' };
  const [, code] = /^error_([A-Z_]{1,60})$/.exec(password) ?? [];
  return { error: code ?? 'INVALID_CREDENTIALS' };
}
