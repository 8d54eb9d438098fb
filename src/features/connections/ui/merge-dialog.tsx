import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callApi } from '../../../ui/shell/api/api.ts';
import type { RouteResponse } from '../../../ui/shell/api/api-routes.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { formatMoney } from '../../../ui/kit/formats.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { formatQuantity } from '../../../ui/kit/price-formats.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { MaskedAmount } from '../../../ui/kit/masked-amount.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { Connection } from '../contract.ts';

type Merge = RouteResponse<'POST /api/accounts/{id}/merge'>;

interface MergeDialogProps {
  account: Connection['accounts'][number];
  /** Manual account. */
  duplicate: { id: string; name: string };
  privacy: boolean;
  onClose: () => void;
}

/** Lists the effects of a merge of two accounts and merges them. */
export default function MergeDialog({ account, duplicate, privacy, onClose }: MergeDialogProps) {
  const queries = useQueryClient();
  const merge = (isDryRun: boolean): Promise<Merge> =>
    callApi('POST /api/accounts/{id}/merge', {
      params: { id: account.id },
      body: { duplicate_id: duplicate.id, dry_run: isDryRun },
    });
  const plan = useQuery({ queryKey: ['merge', account.id, duplicate.id], queryFn: () => merge(true), staleTime: 0 });
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => merge(false),
    onSuccess: async () => {
      showToast(`${duplicate.name} merged into ${account.name}.`, 'good');
      onClose();
      document.getElementById('main')?.focus({ preventScroll: true });
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'merge' });
    },
  });
  const renderContent = () => {
    if (plan.data)
      return (
        <div className="mt-3 grid gap-4">
          <Consequences plan={plan.data} account={account} duplicate={duplicate} privacy={privacy} />
          {error && (
            <p role="alert">{error instanceof ApiError ? error.message : 'Something went wrong. Try again.'}</p>
          )}
          <div className="flex flex-wrap justify-end gap-2">
            <Button autoFocus aria-describedby="merge-consequences" onClick={onClose}>
              Cancel
            </Button>
            <Button variant="danger" pending={isPending} onClick={() => mutate()}>
              Merge the accounts
            </Button>
          </div>
        </div>
      );
    if (plan.error)
      return (
        <ErrorMessage
          error={plan.error}
          retry={() => {
            void plan.refetch();
          }}
          onClose={onClose}
        />
      );
    return <Skeleton lines={4} label="Loading the effects of the merge" />;
  };
  return (
    <Dialog title={`Merge “${duplicate.name}”?`} className="w-[min(30rem,calc(100vw-2rem))]" onClose={onClose}>
      {renderContent()}
    </Dialog>
  );
}

interface ConsequencesProps extends Omit<MergeDialogProps, 'onClose'> {
  plan: Merge;
}

function Consequences({ plan, account, duplicate, privacy }: ConsequencesProps) {
  const { balance, currency, removed, kept } = plan;
  return (
    <ul id="merge-consequences" className="grid list-disc gap-1.5 ps-5 text-ink-soft">
      <li>
        {'Your manual cash balance of '}
        <MaskedAmount hidden={privacy}>{formatMoney(balance, currency)}</MaskedAmount>
        {` no longer counts. The balance of “${account.name}” counts.`}
      </li>
      {removed.length > 0 && (
        <li>
          {'Removed, because the connected account has them too: '}
          <Holdings rows={removed} privacy={privacy} />
        </li>
      )}
      {kept.length > 0 && (
        <li>
          {`Kept in “${duplicate.name}”, because the connected account does not have them in this quantity: `}
          <Holdings rows={kept} privacy={privacy} />
        </li>
      )}
      <li>
        {kept.length > 0
          ? `“${duplicate.name}” is kept without cash.`
          : `“${duplicate.name}” is deleted, and the connected account takes its name. This cannot be undone.`}
      </li>
      <li>Your net-worth history is unchanged.</li>
    </ul>
  );
}

const Holdings = ({ rows, privacy }: { rows: Merge['kept']; privacy: boolean }) => (
  <MaskedAmount hidden={privacy} mask="88 AAPL">
    {`${rows.map(({ symbol, quantity }) => `${formatQuantity(quantity)} ${symbol}`).join(', ')}.`}
  </MaskedAmount>
);
