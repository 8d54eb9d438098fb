import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import { Button } from '../../../ui/kit/button.tsx';
import type { Connection } from '../contract.ts';

interface LeftOutNoticeProps {
  account: Connection['accounts'][number];
  institution: string;
  onAdd: () => void;
}

/** Shows that the institution no longer shares an account, with actions to add or delete it. */
export function LeftOutNotice({ account: { id, name }, institution, onAdd }: LeftOutNoticeProps) {
  const queries = useQueryClient();
  const deletion: UseMutationResult<unknown, Error, void> = useMutation({
    mutationFn: () => callApi('DELETE /api/accounts/{id}', { params: { id } }),
    onError: (error) => showErrorToast(`Could not delete ${name}.`, error, deletion.mutate),
    onSuccess: async () => {
      showToast(`${name} deleted.`, 'good');
      await queries.invalidateQueries();
    },
  });
  return (
    <div className="mt-2 rounded-control bg-warn-soft px-4 py-3 text-small">
      <p>{`${institution} no longer shares this account. Its last figures still count.`}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button aria-label={`Add ${name} again`} onClick={onAdd}>
          Add again
        </Button>
        <Button
          variant="danger"
          aria-label={`Delete ${name}`}
          pending={deletion.isPending}
          onClick={() => deletion.mutate()}
        >
          Delete
        </Button>
      </div>
    </div>
  );
}
