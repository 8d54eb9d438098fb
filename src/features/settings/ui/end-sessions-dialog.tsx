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
import { type AccountSession, accountSessionsQuery } from './account-sessions.ts';
import { reenterPassword } from './reenter-password.ts';

/** Dialog that ends sessions in other browsers, after the password. */
export function EndSessionsDialog({ sessions, onClose }: { sessions: readonly AccountSession[]; onClose: () => void }) {
  const queries = useQueryClient();
  const state = useSession();
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);
  const sessionId = state.status === 'signed-in' ? state.member.sessionId : '';

  async function endAll(): Promise<FormProblem[]> {
    for (const { id } of sessions) {
      const result = await callFrontendApi('POST', `/v1/me/sessions/${encodeURIComponent(id)}/revoke`);
      // A session that ended in between is what the member wants.
      if (!result.ok && result.status !== 400 && result.status !== 404) return toFormProblems(result.problems);
    }
    return [];
  }

  async function submit(form: HTMLFormElement): Promise<void> {
    const password = getFieldText(new FormData(form), 'sessions-password');
    if (password === '') return setProblems([{ field: 'sessions-password', message: 'Enter your password.' }]);
    setPending(true);
    const passwordProblems = await reenterPassword(sessionId, password, 'sessions-password');
    const found = passwordProblems.length > 0 ? passwordProblems : await endAll();
    setPending(false);
    setProblems(found);
    await queries.invalidateQueries(accountSessionsQuery);
    if (found.length > 0) return;
    showToast('Signed out. Open pages there notice it within a minute.');
    onClose();
  }

  return (
    <Dialog
      title={sessions.length === 1 ? `Sign out ${sessions[0]!.device}?` : 'Sign out everywhere else?'}
      onClose={onClose}
    >
      <p className="mt-2 mb-5 text-ink-soft">
        If you do not know {sessions.length === 1 ? 'this browser' : 'one of these browsers'}, change your password too.
      </p>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          if (!pending) void submit(event.currentTarget);
        }}
      >
        <FormErrors problems={problems} title="Could not sign out" />
        <TextField
          name="sessions-password"
          label="Your password"
          type="password"
          autoComplete="current-password"
          autoFocus
          error={getFieldProblem(problems, 'sessions-password')}
        />
        <div className="flex flex-wrap justify-end gap-3">
          <Button variant="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" pending={pending}>
            Sign out
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
