import { type FormEvent, useEffect, useRef, useState } from 'react';
import { fieldText } from '../../../ui/kit/field-text.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { Failure } from '../../../ui/kit/failure.tsx';
import { FormErrors, problemOf } from '../../../ui/kit/form-errors.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { AccountField, NEW_ACCOUNT } from './account-field.tsx';
import { AmountFields } from './amount-fields.tsx';
import { type Accounts, accounts as accountsQuery, useAccounts } from './card-queries.ts';
import { readInvestment } from './read-investment.ts';
import { type Attempt, saveInvestment } from './save-investment.ts';
import { type ChosenSecurity, SecurityField } from './security-field.tsx';
import { useInvestmentChange } from './use-investment-change.ts';

export interface AddInvestmentProps {
  /** The security that "I bought this" hands over. */
  preset: ChosenSecurity | null;
  onClose: () => void;
}

/** Add Investment: a security, an account, how much and, where it is known, what was paid. */
export default function AddInvestment({ preset, onClose }: AddInvestmentProps) {
  const { data, error, isPending, refetch } = useAccounts();
  return (
    <Dialog title="Add investment" className="w-[min(30rem,calc(100vw-2rem))]" onClose={onClose}>
      {data ? (
        // Of a connected account the holdings are its institution's own.
        <InvestmentForm
          accounts={data.accounts.filter(({ kind }) => kind === 'manual')}
          preset={preset}
          onClose={onClose}
        />
      ) : isPending ? (
        <Skeleton lines={6} label="Looking up your accounts" />
      ) : (
        <div className="mt-4 grid gap-4">
          <Failure error={error} retry={() => void refetch()} />
          <Button onClick={onClose}>Cancel</Button>
        </div>
      )}
    </Dialog>
  );
}

function InvestmentForm({ accounts, preset, onClose }: AddInvestmentProps & { accounts: Accounts['accounts'] }) {
  const { problems, pending, refuse, run } = useInvestmentChange();
  const [security, setSecurity] = useState(preset);
  const [accountId, setAccountId] = useState(mostUsed(accounts));
  const attempt = useRef<Attempt>({ unanswered: null });
  useEffect(() => {
    // The dialog opens after its content stands; before, nothing in it can be focused.
    const frame = requestAnimationFrame(() => document.getElementById(preset ? 'quantity' : 'security')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [preset]);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => fieldText(form, name);
    const read = readInvestment(
      {
        symbol: security?.symbol ?? null,
        accountId: accountId === NEW_ACCOUNT ? null : accountId,
        accountName: text('account_name'),
        accountCurrency: text('account_currency'),
        quantity: text('quantity'),
        cost: text('cost'),
      },
      { locale: navigator.language, currency: security?.currency, asset_type: security?.asset_type },
    );
    if (!read.ok) return refuse(read.problems);
    run(async (queries) => {
      const holding = await saveInvestment(read.investment, attempt.current, (made) => {
        const add = (known: Accounts | undefined) => known && { ...known, accounts: [...known.accounts, made] };
        queries.setQueryData(accountsQuery.queryKey, add);
        setAccountId(made.id);
      });
      showToast(`${holding.symbol} added to ${holding.account_name}.`, 'good');
      // What is held shows on every card, the watchlist included.
      void queries.invalidateQueries();
    }, onClose);
  }

  return (
    <form noValidate className="mt-4 grid gap-4" onSubmit={submit}>
      <FormErrors problems={problems} title="The investment was not added" />
      <SecurityField chosen={security} error={problemOf(problems, 'security')} onChoose={setSecurity} />
      <AccountField accounts={accounts} chosen={accountId} problems={problems} onChoose={setAccountId} />
      <AmountFields security={security} problems={problems} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" pending={pending}>
          Add investment
        </Button>
      </div>
    </form>
  );
}

/** The account that holds the most is the likeliest; without any, a new one. */
const mostUsed = (accounts: Accounts['accounts']): string =>
  accounts.toSorted((a, b) => b.holding_count - a.holding_count)[0]?.id ?? NEW_ACCOUNT;
