import { type FormEvent, useState } from 'react';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { publicConfig } from '../../../ui/shell/session/public-config.ts';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { useMember } from '../../../ui/shell/session/session.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { FormErrors, type FormProblem, getFieldProblem } from '../../../ui/kit/form-errors.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { canRevoke, changePassword, validatePasswordChange } from './change-password.ts';

/** Shows the password form. The demo account has no password. */
export function PasswordSection() {
  const member = useMember();
  const demoAccount = useDemoAccount();
  const frontendApiUrl = useStore(publicConfig)?.frontend_api_url ?? '/';
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);
  if (!member || demoAccount) return null;

  async function submit(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    const revokesTokens = data.has('revoke');
    const change = {
      current: getFieldText(data, 'current-password'),
      next: getFieldText(data, 'new-password'),
      revokesTokens,
    };
    const inputProblems = validatePasswordChange(change);
    setProblems(inputProblems);
    if (inputProblems.length > 0) return;
    setPending(true);
    const responseProblems = await changePassword(change);
    setPending(false);
    setProblems(responseProblems);
    if (responseProblems.length > 0) return;
    form.reset();
    const revokedText = revokesTokens ? ', and your API keys and assistant tokens are revoked' : '';
    showToast(`Password changed. Your other sessions have ended${revokedText}.`);
  }

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!pending) void submit(event.currentTarget);
  }

  return (
    <Card title="Password">
      <form noValidate onSubmit={onSubmit} className="grid max-w-sm gap-4">
        <FormErrors problems={problems} title="Could not change the password" />
        <input type="hidden" name="username" autoComplete="username" value={member.email} readOnly />
        <TextField
          name="current-password"
          label="Current password"
          type="password"
          autoComplete="current-password"
          error={getFieldProblem(problems, 'current-password')}
        />
        <TextField
          name="new-password"
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 8 characters. You will be signed out on other devices."
          error={getFieldProblem(problems, 'new-password')}
        />
        {canRevoke(frontendApiUrl) ? (
          <label className="flex items-start gap-2">
            <input type="checkbox" name="revoke" defaultChecked className="mt-1 size-4" />
            Revoke my API keys and assistant tokens too
          </label>
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
      </form>
    </Card>
  );
}
