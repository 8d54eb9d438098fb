import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import { FormErrors, type FormProblem, getFieldProblem } from '../../../ui/kit/form-errors.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { session, useSession } from '../../../ui/shell/session/session.ts';
import { toFormProblems } from '../../../ui/shell/sign-in/problem-text.ts';
import { reenterPassword } from './reenter-password.ts';

/** Dialog that says what is deleted and what is kept, and deletes the account after the password. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const state = useSession();
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);
  const sessionId = state.status === 'signed-in' ? state.member.sessionId : '';

  async function submit(form: HTMLFormElement): Promise<void> {
    const password = getFieldText(new FormData(form), 'delete-password');
    if (password === '') return setProblems([{ field: 'delete-password', message: 'Enter your password.' }]);
    setPending(true);
    const passwordProblems = await reenterPassword(sessionId, password, 'delete-password');
    const result = passwordProblems.length === 0 ? await callFrontendApi('DELETE', '/v1/me') : undefined;
    setPending(false);
    if (!result) return setProblems(passwordProblems);
    if (!result.ok) return setProblems(toFormProblems(result.problems));
    await session.signOut();
    showToast('Your account is deleted.');
  }

  return (
    <Dialog title="Delete your account?" onClose={onClose} startsAtHeading>
      <div className="mt-2 mb-5 grid gap-3 text-ink-soft">
        <p>This cannot be undone. Download your data first if you want to keep it.</p>
        <p>
          <strong className="font-semibold text-ink">Deleted now:</strong> your sign-in, accounts, holdings, net worth,
          watchlist, connections, conversations and keys. A paid plan is canceled.
        </p>
        <p>
          <strong className="font-semibold text-ink">Kept without your name:</strong> invoices, for the accounts of the
          operator; referrals that count for somebody else; records of sign-in links. Backups keep your data until the
          operator replaces them.
        </p>
      </div>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          if (!pending) void submit(event.currentTarget);
        }}
      >
        <FormErrors problems={problems} title="Could not delete the account" />
        <TextField
          name="delete-password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          error={getFieldProblem(problems, 'delete-password')}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" onClick={onClose}>
            Keep account
          </Button>
          <Button type="submit" variant="danger" pending={pending}>
            Delete account
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
