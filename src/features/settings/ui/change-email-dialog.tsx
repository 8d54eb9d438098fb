import { useQueryClient } from '@tanstack/react-query';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { validateEmail } from '../../../ui/shell/sign-in/credentials.ts';
import { toFormProblems } from '../../../ui/shell/sign-in/problem-text.ts';
import { accountEmailQuery } from './account-email.ts';
import { ReauthenticationDialog } from '../../../ui/shell/reauthentication/reauthentication-dialog.tsx';

/** Returns the problems at the field of the new address. */
const toNewEmail = (problems: readonly FormProblem[]): FormProblem[] =>
  problems.map((problem) => ({ ...problem, field: problem.field && 'new-email' }));

/** Dialog that sends a link to a new address, after the password. */
export function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const readEmail = (data: FormData): string => getFieldText(data, 'new-email').trim();

  async function sendLink(data: FormData): Promise<FormProblem[]> {
    const result = await callFrontendApi('POST', '/v1/me/email_addresses', { email_address: readEmail(data) });
    if (!result.ok) return toNewEmail(toFormProblems(result.problems));
    showToast('A link is on its way. Open it to change your email.');
    onClose();
    await queries.invalidateQueries(accountEmailQuery);
    return [];
  }

  return (
    <ReauthenticationDialog
      title="Change email"
      introduction="Your email changes once you open the link that we send to the new one, in this browser. We tell the current one, with a link that stops the change. What stays: password, sessions, API keys, assistant tokens, passkeys, authenticator app, recovery codes, unfinished account connections and unfinished checkouts."
      errorTitle="Could not change the email"
      submitLabel="Send link"
      validate={(data) => toNewEmail(validateEmail(readEmail(data)))}
      renderFields={({ getProblem }) => (
        <TextField
          name="new-email"
          label="New email"
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          error={getProblem('new-email')}
        />
      )}
      makeChange={sendLink}
      onClose={onClose}
    />
  );
}
