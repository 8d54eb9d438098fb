import { useQueryClient } from '@tanstack/react-query';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import { FormActions } from '../../../ui/kit/form-actions.tsx';
import type { FormProblem } from '../../../ui/kit/form-errors.tsx';
import { Form } from '../../../ui/kit/form.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { callFrontendApi } from '../../../ui/shell/session/call-frontend-api.ts';
import { withPasskeys } from '../../../ui/shell/sign-in/load-passkeys.ts';
import { toFormProblems } from '../../../ui/shell/sign-in/problem-text.ts';
import { type AccountPasskey, accountPasskeysQuery } from './account-passkeys.ts';
import { ReauthenticationDialog } from '../../../ui/shell/reauthentication/reauthentication-dialog.tsx';

/** Returns a function that reads the passkeys again, shows a toast, closes the dialog and returns no problems. */
function useFinish(onClose: () => void): (message: string) => Promise<FormProblem[]> {
  const queries = useQueryClient();
  return async (message) => {
    await queries.invalidateQueries(accountPasskeysQuery);
    showToast(message);
    onClose();
    return [];
  };
}

const getPasskeyPath = ({ id }: AccountPasskey): string => `/v1/me/passkeys/${encodeURIComponent(id)}`;

/** Dialog that adds a passkey, after the password. */
export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const finish = useFinish(onClose);

  async function add(): Promise<readonly FormProblem[]> {
    const problems = await withPasskeys(({ addPasskey }) => addPasskey());
    return problems.length > 0 ? problems : finish('Passkey added. You can sign in with it from now on.');
  }

  return (
    <ReauthenticationDialog
      title="Add a passkey"
      introduction="Enter your password. Your browser then asks where to keep the passkey."
      errorTitle="Could not add the passkey"
      submitLabel="Continue"
      makeChange={add}
      onClose={onClose}
    />
  );
}

interface PasskeyDialogProps {
  passkey: AccountPasskey;
  onClose: () => void;
}

/** Dialog that removes a passkey, after the password. */
export function RemovePasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const finish = useFinish(onClose);

  async function remove(): Promise<readonly FormProblem[]> {
    const result = await callFrontendApi('DELETE', getPasskeyPath(passkey));
    // The passkey may have been removed in another browser.
    if (!result.ok && result.status !== 404) return toFormProblems(result.problems);
    return finish(`The passkey “${passkey.name}” is removed.`);
  }

  return (
    <ReauthenticationDialog
      title={`Remove “${passkey.name}”?`}
      introduction="You can no longer sign in with this passkey. Delete it in your browser or password manager too."
      errorTitle="Could not remove the passkey"
      submitLabel="Remove passkey"
      cancelLabel="Keep passkey"
      variant="danger"
      makeChange={remove}
      onClose={onClose}
    />
  );
}

/** Dialog that renames a passkey. */
export function RenamePasskeyDialog({ passkey, onClose }: PasskeyDialogProps) {
  const finish = useFinish(onClose);

  async function rename(data: FormData): Promise<readonly FormProblem[]> {
    const name = getFieldText(data, 'passkey-name').trim();
    if (name === '') return [{ field: 'passkey-name', message: 'Enter a name.' }];
    const result = await callFrontendApi('POST', `${getPasskeyPath(passkey)}?_method=PATCH`, { name });
    return result.ok ? finish('Passkey renamed.') : toFormProblems(result.problems);
  }

  return (
    <Dialog title="Rename passkey" onClose={onClose}>
      <Form errorTitle="Could not rename the passkey" className="mt-5 gap-5" send={rename}>
        {({ pending, getProblem }) => (
          <>
            <TextField
              name="passkey-name"
              label="Name"
              defaultValue={passkey.name}
              maxLength={50}
              autoComplete="off"
              autoFocus
              error={getProblem('passkey-name')}
            />
            <FormActions submitLabel="Rename" pending={pending} onCancel={onClose} />
          </>
        )}
      </Form>
    </Dialog>
  );
}
