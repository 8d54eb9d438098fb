import { guardInput } from '../../../ui/kit/guard-input.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { publicConfig } from '../../../ui/shell/session/public-config.ts';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import { formatList } from '../../../ui/kit/format-list.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { useMember } from '../../../ui/shell/session/session.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { Form } from '../../../ui/kit/form.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { accountPasskeysQuery } from './account-passkeys.ts';
import { accountSessionsQuery } from './account-sessions.ts';
import { canRevoke, changePassword, describeEnded, validatePasswordChange } from './change-password.ts';

/** Returns which credentials a new password can end. After a failed read they count as present. */
function useCredentials(): { hasKeys: boolean; hasTokens: boolean; hasPasskeys: boolean; isPending: boolean } {
  const keys = useQuery({
    queryKey: ['api-keys', 'for-password'],
    queryFn: ({ signal }) => callApi('GET /api/api-keys', { signal }),
  });
  const tokens = useQuery({
    queryKey: ['assistant-tokens', 'for-password'],
    queryFn: ({ signal }) => callApi('GET /api/assistant/tokens', { signal }),
  });
  const passkeys = useQuery(accountPasskeysQuery);
  return {
    hasKeys: keys.data?.api_keys.some(({ revoked_at: revokedAt }) => revokedAt === null) ?? keys.isError,
    hasTokens: tokens.data?.tokens.some(({ revoked_at: revokedAt }) => revokedAt === null) ?? tokens.isError,
    hasPasskeys: passkeys.data?.length !== 0,
    isPending: keys.isPending || tokens.isPending || passkeys.isPending,
  };
}

/** Shows the password form. */
export function PasswordSection() {
  const member = useMember();
  const queries = useQueryClient();
  const frontendApiUrl = useStore(publicConfig)?.frontend_api_url ?? '/';
  const { hasKeys, hasTokens, hasPasskeys, isPending } = useCredentials();
  if (!member) return null;
  if (isPending)
    return (
      <Card title="Password">
        <Skeleton lines={6} label="Loading what a new password can end" />
      </Card>
    );

  const programs = [...(hasKeys ? ['API keys'] : []), ...(hasTokens ? ['assistant tokens'] : [])];

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
      queries.invalidateQueries({ queryKey: ['api-keys'] }),
      queries.invalidateQueries({ queryKey: ['assistant-tokens'] }),
    ]);
    showToast(
      describeEnded([...(revokesTokens ? programs : []), ...(revokesPasskeys && hasPasskeys ? ['passkeys'] : [])]),
    );
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
              hint="At least 8 characters."
              error={getProblem('new-password')}
            />
            {canRevoke(frontendApiUrl) ? (
              <>
                <p className="text-small text-ink-soft">
                  This ends your other sessions, links for a new password, links that confirm the email and pending
                  change of email.
                </p>
                {programs.length > 0 && (
                  <label className="flex items-start gap-2">
                    <input type="checkbox" name="revoke" defaultChecked className="mt-1 size-4" />
                    <span>
                      {`Revoke my ${formatList(programs)} too`}
                      <span className="block text-small text-ink-soft">Programs that use them stop working.</span>
                    </span>
                  </label>
                )}
                {hasPasskeys && (
                  <label className="flex items-start gap-2">
                    <input type="checkbox" name="revoke-passkeys" className="mt-1 size-4" />
                    Remove my passkeys too
                  </label>
                )}
              </>
            ) : (
              <p className="text-small text-ink-soft">
                You will be signed out on other devices. API keys and assistant tokens remain valid. Revoke exposed ones
                on their settings pages.
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
