import { guardInput } from '../../../ui/kit/guard-input.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { publicConfig } from '../../../ui/shell/session/public-config.ts';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { useMember } from '../../../ui/shell/session/session.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { Form } from '../../../ui/kit/form.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { accountPasskeysQuery } from './account-passkeys.ts';
import { accountSessionsQuery } from './account-sessions.ts';
import { canRevoke, changePassword, validatePasswordChange } from './change-password.ts';

/** Returns whether the member has API keys and assistant tokens that are not revoked. A failed read may hide some. */
function useCredentials(): { hasKeys: boolean; hasTokens: boolean } {
  const keys = useQuery({
    queryKey: ['api-keys', 'for-password'],
    queryFn: ({ signal }) => callApi('GET /api/api-keys', { signal }),
  });
  const tokens = useQuery({
    queryKey: ['assistant-tokens', 'for-password'],
    queryFn: ({ signal }) => callApi('GET /api/assistant/tokens', { signal }),
  });
  return {
    hasKeys: keys.data?.api_keys.some(({ revoked_at: revokedAt }) => revokedAt === null) ?? keys.isError,
    hasTokens: tokens.data?.tokens.some(({ revoked_at: revokedAt }) => revokedAt === null) ?? tokens.isError,
  };
}

/** Shows the password form. */
export function PasswordSection() {
  const member = useMember();
  const queries = useQueryClient();
  const frontendApiUrl = useStore(publicConfig)?.frontend_api_url ?? '/';
  const { hasKeys, hasTokens } = useCredentials();
  const hasPasskeys = useQuery(accountPasskeysQuery).data?.length !== 0;
  if (!member) return null;

  async function send(data: FormData, form: HTMLFormElement): Promise<readonly FormProblem[]> {
    const revokesTokens = data.has('revoke');
    const revokesPasskeys = data.has('revoke-passkeys');
    const change = {
      current: getFieldText(data, 'current-password'),
      next: getFieldText(data, 'new-password'),
      revokesTokens,
      revokesPasskeys,
    };
    const inputProblems = validatePasswordChange(change);
    if (inputProblems.length > 0) return inputProblems;
    const problems = await changePassword(change);
    if (problems.length > 0) return problems;
    form.reset();
    await Promise.all([
      queries.invalidateQueries(accountPasskeysQuery),
      queries.invalidateQueries(accountSessionsQuery),
    ]);
    const ended = [
      'Your other sessions',
      ...(revokesTokens && hasKeys ? ['API keys'] : []),
      ...(revokesTokens && hasTokens ? ['assistant tokens'] : []),
      ...(revokesPasskeys && hasPasskeys ? ['passkeys'] : []),
    ];
    const list = new Intl.ListFormat('en').format(ended);
    showToast(`Password changed. ${list} have ended.`);
    return [];
  }

  return (
    <Card title="Password">
      <Form errorTitle="Could not change the password" formRef={guardInput} className="max-w-sm gap-4" send={send}>
        {({ pending, getProblem }) => (
          <>
            <input type="hidden" name="username" autoComplete="username" value={member.email} readOnly />
            <TextField
              name="current-password"
              label="Current password"
              type="password"
              autoComplete="current-password"
              error={getProblem('current-password')}
            />
            <TextField
              name="new-password"
              label="New password"
              type="password"
              autoComplete="new-password"
              hint="At least 8 characters. You will be signed out on other devices."
              error={getProblem('new-password')}
            />
            {canRevoke(frontendApiUrl) ? (
              <>
                <label className="flex items-start gap-2">
                  <input
                    key={String(hasKeys || hasTokens)}
                    type="checkbox"
                    name="revoke"
                    defaultChecked={hasKeys || hasTokens}
                    className="mt-1 size-4"
                  />
                  <span>
                    Revoke my API keys and assistant tokens too
                    <span className="block text-small text-ink-soft">Programs that use them stop working.</span>
                  </span>
                </label>
                <label className="flex items-start gap-2">
                  <input type="checkbox" name="revoke-passkeys" className="mt-1 size-4" />
                  Remove my passkeys too
                </label>
                <p className="text-small text-ink-soft">
                  Open links and a change of your email end. What stays: authenticator app, recovery codes, unfinished
                  account connections and unfinished checkouts.
                </p>
              </>
            ) : (
              <p className="text-small text-ink-soft">
                API keys and assistant tokens remain valid. Revoke exposed ones on their settings pages.
              </p>
            )}
            <div>
              <Button type="submit" pending={pending}>
                Change password
              </Button>
            </div>
          </>
        )}
      </Form>
    </Card>
  );
}
