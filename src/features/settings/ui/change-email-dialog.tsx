import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import { FormErrors, type FormProblem, getFieldProblem } from '../../../ui/kit/form-errors.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { useSession } from '../../../ui/shell/session/session.ts';
import { toFormProblems } from '../../../ui/shell/sign-in/problem-text.ts';
import { accountEmailQuery } from './account-email.ts';
import { reenterPassword } from './reenter-password.ts';

/** Dialog that sends a link to a new address, after the password. */
export function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const state = useSession();
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);
  const sessionId = state.status === 'signed-in' ? state.member.sessionId : '';

  async function submit(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    const email = getFieldText(data, 'new-email').trim();
    const password = getFieldText(data, 'confirm-password');
    const inputProblems: FormProblem[] = [];
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) inputProblems.push({ field: 'new-email', message: 'Enter a valid email.' });
    if (password === '') inputProblems.push({ field: 'confirm-password', message: 'Enter your password.' });
    setProblems(inputProblems);
    if (inputProblems.length > 0) return;
    setPending(true);
    const passwordProblems = await reenterPassword(sessionId, password, 'confirm-password');
    const result =
      passwordProblems.length === 0
        ? await callFrontendApi('POST', '/v1/me/email_addresses', { email_address: email })
        : undefined;
    setPending(false);
    if (!result) return setProblems(passwordProblems);
    if (!result.ok)
      return setProblems(
        toFormProblems(result.problems).map((problem) => ({ ...problem, field: problem.field && 'new-email' })),
      );
    showToast('A link is on its way. Open it to change your email.');
    onClose();
    await queries.invalidateQueries(accountEmailQuery);
  }

  return (
    <Dialog title="Change email" onClose={onClose}>
      <p className="mt-2 mb-5 text-ink-soft">
        Your email changes once you open the link that we send to the new one. Until then nothing changes.
      </p>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          if (!pending) void submit(event.currentTarget);
        }}
      >
        <FormErrors problems={problems} title="Could not change the email" />
        <TextField
          name="new-email"
          label="New email"
          type="email"
          autoComplete="email"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          error={getFieldProblem(problems, 'new-email')}
        />
        <TextField
          name="confirm-password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          error={getFieldProblem(problems, 'confirm-password')}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" pending={pending}>
            Send link
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
