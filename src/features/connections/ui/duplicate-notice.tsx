import { useMutation, type UseMutationResult, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { lazyComponent, LazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { showErrorToast } from '../../../ui/shell/session/show-error-toast.ts';
import { Button } from '../../../ui/kit/button.tsx';
import type { Connection } from '../contract.ts';

const lazyMergeDialog = lazyComponent('The merge dialog', () => import('./merge-dialog.tsx'));

interface DuplicateNoticeProps {
  account: Connection['accounts'][number];
  privacy: boolean;
}

/** Names the manual account that duplicates this connected one, with actions to merge them or keep both. */
export function DuplicateNotice({ account, privacy }: DuplicateNoticeProps) {
  const { id, name, duplicate } = account;
  const queries = useQueryClient();
  const [isMergeOpen, setIsMergeOpen] = useState(false);
  const closeMerge = (): void => setIsMergeOpen(false);
  const keepBoth: UseMutationResult<unknown, Error, void> = useMutation({
    mutationFn: () => callApi('POST /api/accounts/{id}/keep-duplicate', { params: { id } }),
    onError: (error) => showErrorToast('Could not save your choice.', error, keepBoth.mutate),
    onSuccess: async () => {
      showToast('Both accounts are kept.', 'good');
      document.getElementById('main')?.focus({ preventScroll: true });
      await queries.invalidateQueries();
    },
  });
  if (duplicate === null) return null;
  return (
    <div className="mt-2 rounded-control bg-warn-soft px-4 py-3 text-small">
      <p>{`Your manual account “${duplicate.name}” looks like this account. Both count in your net worth.`}</p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          aria-label={`Merge ${duplicate.name} into ${name}`}
          {...lazyMergeDialog.preloadProps}
          onClick={() => setIsMergeOpen(true)}
        >
          Merge…
        </Button>
        <Button
          aria-label={`Keep both ${duplicate.name} and ${name}`}
          pending={keepBoth.isPending}
          onClick={() => keepBoth.mutate()}
        >
          Keep both
        </Button>
      </div>
      {isMergeOpen && (
        <LazyComponent
          component={lazyMergeDialog}
          props={{ account, duplicate, privacy, onClose: closeMerge }}
          onClose={closeMerge}
        />
      )}
    </div>
  );
}
