import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { formatDay, formatMoney } from '../../../../../ui/kit/formats.ts';
import { joinTabStops } from '../../../../../ui/kit/join-tab-stops.ts';
import { useDeferredQuery } from '../../../../../ui/kit/use-deferred-query.ts';
import { AmountChange } from '../../../../../ui/kit/amount-change.tsx';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { accountsQuery, roundAccountValues } from '../../../holdings/ui/accounts-query.ts';
import { indexConnectionsByAccount, useConnections } from '../../../../connections/ui/shared/connections-query.ts';
import type { CardProps } from '../shared/dashboard-card.ts';
import { Explained } from '../../../explain/ui/explained.tsx';
import { LazyComponent } from '../../../../../ui/shell/loading/lazy-component.tsx';
import type { Connection } from '../../../../connections/contract.ts';
import type { Account } from '../../../accounts/contract.ts';
import { lazyAccountsDialog } from '../../../accounts/ui/lazy-accounts-dialog.ts';
import { SourceLine } from '../../../holdings/ui/source-line.tsx';
import { CardFooter } from './card-footer.tsx';
import { EmptyCard } from './empty-card.tsx';
import { QueryCard, RowSkeleton } from './query-card.tsx';

const COLLAPSED_ROWS = 6;

/** Shows the dashboard's card `accounts`: each account with its value and the age of its figures. */
export function AccountsCard({ privacy, presence, onConnect }: CardProps) {
  const query = useDeferredQuery(useQuery(accountsQuery));
  const [isOpen, setIsOpen] = useState(false);
  const [isManaging, setIsManaging] = useState(false);
  const close = (): void => setIsManaging(false);
  const connectionByAccount = indexConnectionsByAccount(useConnections().data);
  const emptyAccounts = (
    <EmptyCard text="Your accounts and their balances." action={{ label: 'Connect an account', run: onConnect }} />
  );
  return (
    <>
      {isManaging && (
        <LazyComponent
          component={lazyAccountsDialog}
          props={{ privacy, onConnect, onClose: close }}
          className="mb-2"
          onClose={close}
        />
      )}
      <QueryCard
        id="accounts"
        title="Accounts"
        query={query}
        actions={
          <button
            type="button"
            className="-me-2 min-h-9 rounded-control px-2 text-small font-medium text-ink-soft hover:bg-sunken hover:text-ink"
            {...lazyAccountsDialog.preloadProps}
            onClick={() => setIsManaging(true)}
          >
            Manage<span className="sr-only"> accounts</span>
          </button>
        }
        hasRows={presence.netWorth}
        skeleton={presence.netWorth ? <RowSkeleton rows={4} className="h-14" /> : emptyAccounts}
      >
        {(list) => {
          const { accounts, currency } = list;
          if (accounts.length === 0) return emptyAccounts;
          const values = roundAccountValues(list);
          return (
            <>
              <ul aria-label="Accounts" className="pb-4">
                {accounts.slice(0, isOpen ? accounts.length : COLLAPSED_ROWS).map((account) => (
                  <AccountRow
                    key={account.id}
                    account={account}
                    value={values.get(account.id) ?? null}
                    share={computeShare(values, account.id)}
                    currency={currency}
                    connection={connectionByAccount.get(account.id)}
                    privacy={privacy}
                  />
                ))}
              </ul>
              {accounts.length > COLLAPSED_ROWS && (
                <CardFooter
                  isOpen={isOpen}
                  count={accounts.length}
                  noun="accounts"
                  onToggle={() => setIsOpen(!isOpen)}
                />
              )}
            </>
          );
        }}
      </QueryCard>
    </>
  );
}

/** Returns an account's part of the positive amounts of all accounts, from 0 to 1. A debt has none. */
function computeShare(values: ReadonlyMap<string, number | null>, id: string): number {
  const toPart = (value: number | null | undefined): number => Math.max(value ?? 0, 0);
  const sum = [...values.values()].reduce<number>((total, value) => total + toPart(value), 0);
  return sum === 0 ? 0 : toPart(values.get(id)) / sum;
}

interface AccountDayChangeProps {
  account: Account;
  /** Base currency. */
  currency: string;
  privacy: boolean;
}

/** Shows the day change of an account's holdings in the base currency, in percent of the account's value. */
function AccountDayChange({ account: { base }, currency, privacy }: AccountDayChangeProps) {
  if (!base || base.change_amount === null) return null;
  return (
    <p className="text-micro">
      <AmountChange
        amount={base.change_amount}
        percent={base.change_percent}
        currency={currency}
        label="day"
        reason="No day change"
        privacy={privacy}
      />
    </p>
  );
}

interface AccountRowProps {
  account: Account;
  /** Value in the base currency as it is shown. Null if nothing can be converted. */
  value: number | null;
  /** Part of the positive amounts of all accounts, from 0 to 1. */
  share: number;
  /** Base currency. */
  currency: string;
  connection: Connection | undefined;
  privacy: boolean;
}

/** Shows an account's value in the base currency with its share and day change, and the amounts without a rate. */
function AccountRow({ account, value, share, currency, connection, privacy }: AccountRowProps) {
  const { excluded = [] } = account.base ?? {};
  const withoutPrice = account.totals?.reduce((count, { without_price: missing }) => count + missing, 0) ?? 0;
  return (
    <li ref={joinTabStops} className="relative flex min-h-14 items-center gap-3 px-4 py-1.5 sm:px-5">
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{account.name}</p>
        <div className="truncate text-small text-ink-faint">
          {connection ? <SourceLine connection={connection} /> : `By hand, ${formatDay(account.updated_at)}`}
        </div>
      </div>
      <div className="shrink-0 text-end">
        {value !== null && (
          <p className="font-medium">
            <Explained figure={{ of: 'account-value', id: account.id, name: account.name, shown: value }}>
              <MaskedAmount hidden={privacy}>{formatMoney(value, currency)}</MaskedAmount>
            </Explained>
          </p>
        )}
        <AccountDayChange account={account} currency={currency} privacy={privacy} />
        {excluded.map(({ currency: other, amount }) => (
          <p key={other} className={value === null ? 'font-medium' : 'text-micro text-ink-faint'}>
            <MaskedAmount hidden={privacy}>{formatMoney(amount, other)}</MaskedAmount>
            <span className="text-micro text-ink-faint"> no rate</span>
          </p>
        ))}
        {withoutPrice > 0 && <p className="text-micro text-ink-faint">{`${withoutPrice} without price`}</p>}
      </div>
      <span aria-hidden="true" className="absolute inset-x-4 bottom-0 h-1 rounded-full bg-sunken sm:inset-x-5">
        <span className="block h-full rounded-full bg-accent" style={{ width: `${share * 100}%` }} />
      </span>
    </li>
  );
}
