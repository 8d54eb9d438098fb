import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { session } from '../../../ui/shell/session/session.ts';
import { toFormProblems } from '../../../ui/shell/sign-in/problem-text.ts';
import { ReauthenticationDialog } from '../../../ui/shell/reauthentication/reauthentication-dialog.tsx';

/** Dialog that says what is deleted and what is kept, and deletes the account after the password. */
export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  return (
    <ReauthenticationDialog
      title="Delete your account?"
      introduction={<Consequences />}
      errorTitle="Could not delete the account"
      submitLabel="Delete account"
      cancelLabel="Keep account"
      variant="danger"
      startsAtHeading
      makeChange={deleteAccount}
      onClose={onClose}
    />
  );
}

async function deleteAccount(): Promise<FormProblem[]> {
  const result = await callFrontendApi('DELETE', '/v1/me');
  if (!result.ok) return toFormProblems(result.problems);
  await session.signOut();
  showToast('Your account is deleted.');
  return [];
}

const Consequences = () => (
  <>
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
  </>
);
