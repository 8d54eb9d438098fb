import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { fieldText } from '../../web/lib/field-text.ts';
import { INVESTMENTS } from '../../web/lib/investment-query.ts';
import { notify } from '../../web/lib/notices.ts';
import { Button } from '../../web/ui/button.tsx';
import { Dialog } from '../../web/ui/dialog.tsx';
import { Failure } from '../../web/ui/failure.tsx';
import { FormErrors, type FormProblem, problemOf } from '../../web/ui/form-errors.tsx';
import { Skeleton } from '../../web/ui/skeleton.tsx';
import { AccountField, NEW_ACCOUNT } from './account-field.tsx';
import { AmountFields } from './amount-fields.tsx';
import { type Accounts, useAccounts } from './card-queries.ts';
import { readInvestment } from './read-investment.ts';
import { type Attempt, problemsOf, saveInvestment } from './save-investment.ts';
import { type ChosenSecurity, SecurityField } from './security-field.tsx';

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
  const queries = useQueryClient();
  const [security, setSecurity] = useState(preset);
  const [accountId, setAccountId] = useState(mostUsed(accounts));
  const [problems, setProblems] = useState<readonly FormProblem[]>([]);
  const [pending, setPending] = useState(false);
  const attempt = useRef<Attempt>({ unanswered: null });
  useEffect(() => {
    // The dialog opens after its content stands; before, nothing in it can be focused.
    const frame = requestAnimationFrame(() => document.getElementById(preset ? 'quantity' : 'security')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [preset]);

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    const text = (name: string): string => fieldText(form, name);
    const read = readInvestment({
      symbol: security?.symbol ?? null,
      accountId: accountId === NEW_ACCOUNT ? null : accountId,
      accountName: text('account_name'),
      accountCurrency: text('account_currency'),
      quantity: text('quantity'),
      cost: text('cost'),
    });
    if (!read.ok) return setProblems(read.problems);
    setPending(true);
    try {
      const holding = await saveInvestment(read.investment, attempt.current, (made) => {
        queries.setQueryData<Accounts>(
          [...INVESTMENTS, 'accounts'],
          (known) => known && { ...known, accounts: [...known.accounts, made] },
        );
        setAccountId(made.id);
      });
      notify(`${holding.symbol} added to ${holding.account_name}.`, 'good');
      // What is held shows on every card, the watchlist included.
      void queries.invalidateQueries();
      onClose();
    } catch (error) {
      setProblems(problemsOf(error));
      setPending(false);
    }
  }

  return (
    <form noValidate className="mt-4 grid gap-4" onSubmit={(event) => void submit(event)}>
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
