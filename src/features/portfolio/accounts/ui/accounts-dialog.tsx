import type { Connection } from '../../../connections/contract.ts';
import { useState } from 'react';
import { indexConnectionsByAccount, useConnections } from '../../../connections/ui/shared/connections-query.ts';
import { useConnectionKinds } from '../../../connections/ui/shared/use-connection-kinds.ts';
import { useDemoAccount } from '../../../../ui/shell/session/demo-account.ts';
import { useIsSampleUser } from '../../../../ui/shell/session/sample-user.ts';
import { formatMoney } from '../../../../ui/kit/formats.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { type Accounts, useAccounts } from '../../holdings/ui/accounts-query.ts';
import { Explained } from '../../explain/ui/explained.tsx';
import type { HoldingTarget } from '../../explain/ui/explained-figure.ts';
import { Link } from '../../../../ui/shell/navigation/link.tsx';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import type { Account } from '../contract.ts';
import type { HoldingTotals } from '../../holdings/contract.ts';
import { AccountForm } from './account-form.tsx';
import { EditableList, EditableListRow } from '../../holdings/ui/editable-list.tsx';
import { SourceLine } from '../../holdings/ui/source-line.tsx';
import { OmittedHoldings, TotalDayChange, TotalsGain } from '../../holdings/ui/totals-changes.tsx';

export interface AccountsDialogProps {
  privacy: boolean;
  /** Opens the dialog that connects an account. */
  onConnect: () => void;
  onClose: () => void;
}

/** Lists the member's accounts. Manual accounts can be created, changed and deleted. */
export default function AccountsDialog({ privacy, onConnect, onClose }: AccountsDialogProps) {
  const { data, error, isPending, refetch } = useAccounts();
  const connectionByAccount = indexConnectionsByAccount(useConnections().data);
  const [form, setForm] = useState<{ account: Account | null } | null>(null);
  const title = form ? (form.account?.name ?? 'New account') : 'Accounts';
  const renderContent = () => {
    if (data && form) return <AccountForm account={form.account} privacy={privacy} onDone={() => setForm(null)} />;
    if (data)
      return (
        <AccountList
          {...data}
          connectionByAccount={connectionByAccount}
          privacy={privacy}
          onOpen={(account) => setForm({ account })}
          onConnect={onConnect}
          onClose={onClose}
        />
      );
    if (isPending) return <Skeleton lines={4} label="Loading your accounts" />;
    return (
      <div className="mt-4 grid gap-4">
        <ErrorMessage
          error={error}
          retry={() => {
            void refetch();
          }}
        />
        <Button onClick={onClose}>Done</Button>
      </div>
    );
  };
  return (
    <Dialog title={title} className="w-[min(30rem,calc(100vw-2rem))]" onClose={onClose}>
      {renderContent()}
    </Dialog>
  );
}

interface AccountListProps extends Accounts {
  connectionByAccount: ReadonlyMap<string, Connection>;
  privacy: boolean;
  onOpen: (account: Account | null) => void;
  onConnect: () => void;
  onClose: () => void;
}

function AccountList({ accounts, limit, connectionByAccount, privacy, onOpen, onConnect, onClose }: AccountListProps) {
  const connectionKinds = useConnectionKinds().data?.offers ?? [];
  const demoAccount = useDemoAccount();
  const isReadOnly = useIsSampleUser();
  const manual = accounts.filter(({ kind }) => kind === 'manual');
  return (
    <>
      <EditableList label="Your accounts" emptyText={accounts.length === 0 && 'No accounts yet.'}>
        {accounts.map((account) => (
          <EditableListRow
            key={account.id}
            name={account.name}
            label={`Edit ${account.name}`}
            onEdit={account.kind === 'manual' && !isReadOnly ? () => onOpen(account) : undefined}
          >
            <Explained figure={{ of: 'cash', id: account.id, name: account.name }}>
              <MaskedAmount hidden={privacy}>{formatBalance(account)}</MaskedAmount>
            </Explained>
            {` · ${account.holding_count === 1 ? '1 holding' : `${account.holding_count} holdings`}`}
            {account.totals?.map((totals) => (
              <AccountTotals key={totals.currency} account={account} totals={totals} privacy={privacy} />
            ))}
            <SourceLine connection={connectionByAccount.get(account.id)} />
          </EditableListRow>
        ))}
      </EditableList>
      {connectionByAccount.size > 0 && !isReadOnly && (
        <p className="mt-3 text-small">
          <Link href="/settings/connections" className="link" onClick={onClose}>
            Manage connected accounts
          </Link>
        </p>
      )}
      <div className="mt-5 flex flex-wrap gap-2 max-sm:*:grow">
        {manual.length < limit && !isReadOnly && <Button onClick={() => onOpen(null)}>New account</Button>}
        {connectionKinds.length > 0 && !demoAccount && !isReadOnly && (
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

/** Formats the cash of an account, or what is owed, such as on a credit card. */
const formatBalance = ({ balance, currency }: Account): string =>
  balance < 0 ? `${formatMoney(-balance, currency)} owed` : `${formatMoney(balance, currency)} in cash`;

/** Shows value, day change and gain of an account's holdings in one currency. */
function AccountTotals({
  account: { id, name },
  totals,
  privacy,
}: {
  account: Account;
  totals: HoldingTotals;
  privacy: boolean;
}) {
  const explained: HoldingTarget = { of: 'account', id, currency: totals.currency, name };
  return (
    <div>
      <p className="flex flex-wrap gap-x-3">
        <span className="whitespace-nowrap text-ink-soft">
          {totals.value === null ? (
            'No price yet'
          ) : (
            <Explained figure={{ ...explained, figure: 'value' }}>
              <MaskedAmount hidden={privacy}>{formatMoney(totals.value, totals.currency)}</MaskedAmount>
            </Explained>
          )}
          {' in holdings'}
        </span>
        <TotalDayChange totals={totals} privacy={privacy} explained={explained} />
        <TotalsGain totals={totals} privacy={privacy} explained={explained} />
      </p>
      <OmittedHoldings totals={[totals]} />
    </div>
  );
}
