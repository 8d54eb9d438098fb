import { type FormEvent, useEffect, useRef, useState } from 'react';
import { getFieldText } from '../../../../ui/kit/field-text.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { formatLocale } from '../../../../ui/kit/format-locale.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { FormErrors, getFieldProblem } from '../../../../ui/kit/form-errors.tsx';
import { Skeleton } from '../../../../ui/kit/skeleton.tsx';
import { AccountField, NEW_ACCOUNT } from './account-field.tsx';
import { AmountFields } from './amount-fields.tsx';
import { type Accounts, accountsQuery, useAccounts } from './accounts-query.ts';
import { parseInvestment } from './parse-investment.ts';
import { type Attempt, saveInvestment } from './save-investment.ts';
import { type ChosenSecurity, SecurityField } from './security-field.tsx';
import { useInvestmentChange } from './use-investment-change.ts';

export interface AddInvestmentProps {
  /** Security from “I bought this”. */
  preset: ChosenSecurity | null;
  onClose: () => void;
}

/** Adds an investment: a security, an account, the quantity and, if known, the cost. */
export default function AddInvestment({ preset, onClose }: AddInvestmentProps) {
  const { data, error, isPending, refetch } = useAccounts();
  const renderContent = () => {
    // The holdings of a connected account belong to its institution.
    if (data)
      return (
        <InvestmentForm
          accounts={data.accounts.filter(({ kind }) => kind === 'manual')}
          preset={preset}
          onClose={onClose}
        />
      );
    if (isPending) return <Skeleton lines={6} label="Loading your accounts" />;
    return (
      <div className="mt-4 grid gap-4">
        <ErrorMessage
          error={error}
          retry={() => {
            void refetch();
          }}
        />
        <Button onClick={onClose}>Cancel</Button>
      </div>
    );
  };
  return (
    <Dialog title="Add investment" className="w-[min(30rem,calc(100vw-2rem))]" onClose={onClose}>
      {renderContent()}
    </Dialog>
  );
}

function InvestmentForm({ accounts, preset, onClose }: AddInvestmentProps & { accounts: Accounts['accounts'] }) {
  const { problems, pending, showProblems, run } = useInvestmentChange();
  const [security, setSecurity] = useState(preset);
  const [accountId, setAccountId] = useState(findMostUsedAccountId(accounts));
  const attempt = useRef<Attempt>({ unansweredSince: null });
  useEffect(() => {
    // The dialog opens after its content is mounted. Earlier, no element in it can have the focus.
    const frame = requestAnimationFrame(() => document.getElementById(preset ? 'quantity' : 'security')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [preset]);

  function chooseSecurity(chosen: ChosenSecurity | null): void {
    setSecurity(chosen);
    // The search field, which has the focus, disappears in this frame.
    if (chosen) requestAnimationFrame(() => document.getElementById('quantity')?.focus());
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (pending) return;
    const form = new FormData(event.currentTarget);
    const getText = (name: string): string => getFieldText(form, name);
    const result = parseInvestment(
      {
        symbol: security?.symbol ?? null,
        accountId: accountId === NEW_ACCOUNT ? null : accountId,
        accountName: getText('account_name'),
        accountCurrency: getText('account_currency'),
        quantity: getText('quantity'),
        cost: getText('cost'),
      },
      { locale: formatLocale.get(), currency: security?.currency, asset_type: security?.asset_type },
    );
    if (!result.ok) return showProblems(result.problems);
    run(async (queries) => {
      const holding = await saveInvestment(result.investment, attempt.current, (createdAccount) => {
        const appendAccount = (cached: Accounts | undefined) =>
          cached && { ...cached, accounts: [...cached.accounts, createdAccount] };
        queries.setQueryData(accountsQuery.queryKey, appendAccount);
        setAccountId(createdAccount.id);
      });
      showToast(`${holding.symbol} added to ${holding.account_name}.`, 'good');
      // Every card shows holdings, including the watchlist.
      void queries.invalidateQueries();
    }, onClose);
  }

  return (
    <form noValidate className="mt-4 grid gap-4" onSubmit={submit}>
      <FormErrors problems={problems} title="Could not add the investment" />
      <SecurityField chosen={security} error={getFieldProblem(problems, 'security')} onChoose={chooseSecurity} />
      <AccountField accounts={accounts} chosen={accountId} problems={problems} onChoose={setAccountId} />
      <AmountFields security={security} problems={problems} />
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending}>
          Add investment
        </Button>
      </div>
    </form>
  );
}

/** Returns the account with the most holdings as the most likely one, or a new account if there is none. */
const findMostUsedAccountId = (accounts: Accounts['accounts']): string =>
  accounts.toSorted((a, b) => b.holding_count - a.holding_count)[0]?.id ?? NEW_ACCOUNT;
