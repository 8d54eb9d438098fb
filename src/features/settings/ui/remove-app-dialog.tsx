import { useQueryClient } from '@tanstack/react-query';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { toFormProblems } from '../../../ui/shell/sign-in/problem-text.ts';
import { accountFactorsQuery } from '../../../ui/shell/reauthentication/account-factors.ts';
import { ReauthenticationDialog } from '../../../ui/shell/reauthentication/reauthentication-dialog.tsx';

/** Dialog that turns two-step verification off. */
export function RemoveAppDialog({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();

  async function remove(): Promise<readonly FormProblem[]> {
    const result = await callFrontendApi('DELETE', '/v1/me/totp');
    if (!result.ok) return toFormProblems(result.problems);
    showToast('Two-step verification is off.');
    onClose();
    await queries.invalidateQueries(accountFactorsQuery);
    return [];
  }

  return (
    <ReauthenticationDialog
      title="Turn off two-step verification?"
      introduction={<p>Your password alone will sign you in, and your recovery codes stop working.</p>}
      errorTitle="Could not turn it off"
      submitLabel="Turn off"
      variant="danger"
      makeChange={remove}
      onClose={onClose}
    />
  );
}
