import { useQueryClient } from '@tanstack/react-query';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { toFormProblems } from '../../../ui/shell/sign-in/problem-text.ts';
import { type AccountSession, accountSessionsQuery } from './account-sessions.ts';
import { ReauthenticationDialog } from '../../../ui/shell/reauthentication/reauthentication-dialog.tsx';

/** Dialog that ends sessions in other browsers, after the password. */
export function EndSessionsDialog({ sessions, onClose }: { sessions: readonly AccountSession[]; onClose: () => void }) {
  const queries = useQueryClient();

  async function endAll(): Promise<FormProblem[]> {
    const problems = await endSessions(sessions);
    await queries.invalidateQueries(accountSessionsQuery);
    if (problems.length > 0) return problems;
    showToast('Signed out. Open pages there notice it within a minute.');
    onClose();
    return [];
  }

  return (
    <ReauthenticationDialog
      title={sessions.length === 1 ? `Sign out ${sessions[0]!.device}?` : 'Sign out everywhere else?'}
      introduction={
        <p>
          If you do not know {sessions.length === 1 ? 'this browser' : 'one of these browsers'}, change your password
          too.
        </p>
      }
      errorTitle="Could not sign out"
      submitLabel="Sign out"
      makeChange={endAll}
      onClose={onClose}
    />
  );
}

async function endSessions(sessions: readonly AccountSession[]): Promise<FormProblem[]> {
  for (const { id } of sessions) {
    const result = await callFrontendApi('POST', `/v1/me/sessions/${encodeURIComponent(id)}/revoke`);
    // A session that ended in between is what the member wants.
    if (!result.ok && result.status !== 400 && result.status !== 404) return toFormProblems(result.problems);
  }
  return [];
}
