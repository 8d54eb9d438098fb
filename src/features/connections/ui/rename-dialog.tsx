import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { getFieldText } from '../../../ui/kit/field-text.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { FormErrors, type FormProblem, getFieldProblem } from '../../../ui/kit/form-errors.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import type { Connection } from '../contract.ts';

type Account = Connection['accounts'][number];

/** Edits the name of a connected account, which is the only field that the member can change. */
export default function RenameDialog({ account, onClose }: { account: Account; onClose: () => void }) {
  const queries = useQueryClient();
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const { mutate, isPending } = useMutation({
    mutationFn: (name: string) => callApi('PATCH /api/accounts/{id}', { params: { id: account.id }, body: { name } }),
    onError: (error) => setProblems([{ field: null, message: getErrorMessage(error) }]),
    onSuccess: async (_answer, name) => {
      showToast(`${name} saved.`, 'good');
      await queries.invalidateQueries();
      onClose();
    },
  });

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const name = getFieldText(new FormData(event.currentTarget), 'account_name').trim();
    if (name === '') setProblems([{ field: 'account_name', message: 'Enter a name for the account.' }]);
    else if (!isPending) mutate(name);
  }

  return (
    <Dialog title="Rename the account" onClose={onClose}>
      <form noValidate className="mt-4 grid gap-4" onSubmit={submit}>
        <FormErrors problems={problems} title="Could not save the changes" />
        <TextField
          name="account_name"
          label="Name of the account"
          hint="Only you see this name."
          defaultValue={account.name}
          maxLength={120}
          autoComplete="off"
          autoFocus
          error={getFieldProblem(problems, 'account_name')}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" pending={isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function getErrorMessage(error: Error): string {
  if (!(error instanceof ApiError)) return 'Something went wrong. Your input is kept; try again.';
  return error.code === 'NOT_FOUND' ? 'This account no longer exists.' : error.message;
}
