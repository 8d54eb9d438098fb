import type { Connection } from '../../connections/contract.ts';
import { useState } from 'react';
import { connectionsByAccount, useConnections } from '../../../ui/shell/connections/connections-query.ts';
import { useOffers } from '../../../ui/shell/connections/use-offers.ts';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { formatMoney } from '../../../ui/kit/formats.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { Failure } from '../../../ui/kit/failure.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { PrivateFigure } from '../../../ui/kit/private-figure.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { Account } from '../contract.ts';
import { AccountForm } from './account-form.tsx';
import { type Accounts, useAccounts } from './card-queries.ts';
import { EditList, EditRow } from './edit-row.tsx';
import { SourceLine } from './source-line.tsx';

interface AccountsDialogProps {
  privacy: boolean;
  /** Opens the dialog in which connecting an account begins. */
  onConnect: () => void;
  onClose: () => void;
}

/** The member's accounts: those kept by hand to be made, changed and deleted, and those that were connected. */
export default function AccountsDialog({ privacy, onConnect, onClose }: AccountsDialogProps) {
  const { data, error, isPending, refetch } = useAccounts();
  const connected = connectionsByAccount(useConnections().data);
  const [form, setForm] = useState<{ account: Account | null } | null>(null);
  const title = form ? (form.account?.name ?? 'New account') : 'Accounts';
  return (
    <Dialog title={title} className="w-[min(30rem,calc(100vw-2rem))]" onClose={onClose}>
      {data && form ? (
        <AccountForm account={form.account} privacy={privacy} onDone={() => setForm(null)} />
      ) : data ? (
        <AccountList
          {...data}
          connected={connected}
          privacy={privacy}
          onOpen={(account) => setForm({ account })}
          onConnect={onConnect}
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
  connected: ReadonlyMap<string, Connection>;
  privacy: boolean;
  onOpen: (account: Account | null) => void;
  onConnect: () => void;
  onClose: () => void;
}

function AccountList({ accounts, limit, connected, privacy, onOpen, onConnect, onClose }: AccountListProps) {
  const offers = useOffers().data?.offers ?? [];
  const demo = useDemoAccount();
  const manual = accounts.filter(({ kind }) => kind === 'manual');
  return (
    <>
      <EditList label="Your accounts" empty={accounts.length === 0 && 'No accounts yet. The first one stands here.'}>
        {accounts.map((account) => (
          <EditRow
            key={account.id}
            name={account.name}
            label={`Edit ${account.name}`}
            onEdit={account.kind === 'manual' ? () => onOpen(account) : undefined}
          >
            <PrivateFigure
              hidden={privacy}
            >{`${formatMoney(account.balance, account.currency)} in cash`}</PrivateFigure>
            {` · ${account.holding_count === 1 ? '1 holding' : `${account.holding_count} holdings`}`}
            <SourceLine connection={connected.get(account.id)} />
          </EditRow>
        ))}
      </EditList>
      {connected.size > 0 && (
        <p className="mt-3 text-small">
          <Link href="/settings/connections" className="link" onClick={onClose}>
            Rename, repair or remove connected accounts
          </Link>
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-2 max-sm:*:grow">
        {manual.length < limit && <Button onClick={() => onOpen(null)}>New account</Button>}
        {offers.length > 0 && !demo && (
          <Button
            onClick={() => {
              onClose();
              onConnect();
            }}
          >
            Connect an account
          </Button>
        )}
        <Button className="ms-auto" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}
