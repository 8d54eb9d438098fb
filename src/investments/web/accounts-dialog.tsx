import { useState } from 'react';
import { formatMoney } from '../../web/lib/formats.ts';
import { Button } from '../../web/ui/button.tsx';
import { Dialog } from '../../web/ui/dialog.tsx';
import { Failure } from '../../web/ui/failure.tsx';
import { PrivateFigure } from '../../web/ui/private-figure.tsx';
import { Skeleton } from '../../web/ui/skeleton.tsx';
import type { Account } from '../contract.ts';
import { AccountForm } from './account-form.tsx';
import { type Accounts, useAccounts } from './card-queries.ts';
import { EditList, EditRow } from './edit-row.tsx';

type View = { show: 'list' } | { show: 'form'; account: Account | null };

/** The member's accounts: their names and cash, and the way to make, change and delete one. */
export default function AccountsDialog({ privacy, onClose }: { privacy: boolean; onClose: () => void }) {
  const { data, error, isPending, refetch } = useAccounts();
  const [view, setView] = useState<View>({ show: 'list' });
  const title = view.show === 'list' ? 'Accounts' : (view.account?.name ?? 'New account');
  return (
    <Dialog title={title} className="w-[min(30rem,calc(100vw-2rem))]" onClose={onClose}>
      {data && view.show === 'form' ? (
        <AccountForm account={view.account} privacy={privacy} onDone={() => setView({ show: 'list' })} />
      ) : data ? (
        <AccountList
          {...data}
          privacy={privacy}
          onOpen={(account) => setView({ show: 'form', account })}
          onClose={onClose}
        />
      ) : isPending ? (
        <Skeleton lines={4} label="Looking up your accounts" />
      ) : (
        <div className="mt-4 grid gap-4">
          <Failure error={error} retry={() => void refetch()} />
          <Button onClick={onClose}>Done</Button>
        </div>
      )}
    </Dialog>
  );
}

interface AccountListProps extends Accounts {
  privacy: boolean;
  onOpen: (account: Account | null) => void;
  onClose: () => void;
}

function AccountList({ accounts, limit, privacy, onOpen, onClose }: AccountListProps) {
  return (
    <>
      <EditList label="Your accounts" empty={accounts.length === 0 && 'No accounts yet. The first one stands here.'}>
        {accounts.map((account) => (
          <EditRow key={account.id} name={account.name} label={`Edit ${account.name}`} onEdit={() => onOpen(account)}>
            <PrivateFigure
              hidden={privacy}
            >{`${formatMoney(account.balance, account.currency)} in cash`}</PrivateFigure>
            {` · ${account.holding_count === 1 ? '1 holding' : `${account.holding_count} holdings`}`}
          </EditRow>
        ))}
      </EditList>
      <div className="mt-5 flex flex-wrap justify-end gap-2">
        {accounts.length < limit && (
          <Button className="me-auto" onClick={() => onOpen(null)}>
            New account
          </Button>
        )}
        <Button onClick={onClose}>Done</Button>
      </div>
    </>
  );
}
