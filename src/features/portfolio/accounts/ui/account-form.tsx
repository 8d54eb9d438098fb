import { type FormEvent, useState } from 'react';
import { formatLocale } from '../../../../ui/kit/format-locale.ts';
import { getFieldText } from '../../../../ui/kit/field-text.ts';
import { formatNumberInput } from '../../../../ui/kit/parse-number.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { FormErrors, getFieldProblem } from '../../../../ui/kit/form-errors.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import type { Account } from '../contract.ts';
import { CurrencyField } from '../../holdings/ui/account-field.tsx';
import { addAccount, deleteAccount, saveAccount } from './change-accounts.ts';
import { parseAccountChanges } from '../../holdings/ui/parse-changes.ts';
import { useInvestmentChange } from '../../holdings/ui/use-investment-change.ts';

const ACCOUNT_DELETED_MESSAGE = 'This account no longer exists. Another tab may have deleted it.';

interface AccountFormProps {
  /** Null for a new account. */
  account: Account | null;
  privacy: boolean;
  onDone: () => void;
}

/** Edits name and cash of a manual account. */
export function AccountForm({ account, privacy, onDone }: AccountFormProps) {
  const { problems, pending, showProblems, run } = useInvestmentChange(ACCOUNT_DELETED_MESSAGE);
  const [isConfirmingDeletion, setConfirmingDeletion] = useState(false);
  const isHidden = privacy && account !== null;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const currency = account?.currency ?? getFieldText(form, 'account_currency');
    const result = parseAccountChanges(
      { name: getFieldText(form, 'account_name'), balance: getFieldText(form, 'account_balance') },
      { locale: formatLocale.get(), currency },
      isHidden,
    );
    if (!result.ok) return showProblems(result.problems);
    run(
      (queries) =>
        account
          ? saveAccount(queries, account.id, result.changes)
          : addAccount(queries, { ...result.changes, currency }),
      onDone,
    );
  }

  if (account && isConfirmingDeletion)
    return <ConfirmDeletion account={account} onCancel={() => setConfirmingDeletion(false)} onDone={onDone} />;
  return (
    <form noValidate className="mt-4 grid gap-4" onSubmit={submit}>
      <FormErrors problems={problems} title={account ? 'Could not save the changes' : 'Could not add the account'} />
      <TextField
        name="account_name"
        label="Name of the account"
        defaultValue={account?.name ?? ''}
        maxLength={120}
        autoComplete="off"
        autoFocus
        error={getFieldProblem(problems, 'account_name')}
      />
      <div className="grid grid-cols-[1fr_7rem] items-start gap-3">
        <TextField
          name="account_balance"
          label={account ? `Cash, ${account.currency}` : 'Cash'}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={isHidden ? '' : formatNumberInput(account?.balance ?? 0, formatLocale.get())}
          hint={isHidden ? 'Hidden. Leave empty to keep the current value.' : 'Negative if overdrawn'}
          error={getFieldProblem(problems, 'account_balance')}
        />
        {!account && <CurrencyField problems={problems} />}
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {account && (
          <Button variant="danger" className="me-auto" onClick={() => setConfirmingDeletion(true)}>
            Delete
          </Button>
        )}
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" variant="primary" pending={pending}>
          {account ? 'Save' : 'Add account'}
        </Button>
      </div>
    </form>
  );
}

/** Confirms the deletion of an account with its holdings, which cannot be undone. */
function ConfirmDeletion({
  account,
  onCancel,
  onDone,
}: {
  account: Account;
  onCancel: () => void;
  onDone: () => void;
}) {
  const { problems, pending, run } = useInvestmentChange(ACCOUNT_DELETED_MESSAGE);
  const { name, holding_count: count } = account;
  const deletedText = count === 1 ? 'Its holding is deleted too.' : `Its ${count} holdings are deleted too.`;
  const holdingsText = count === 0 ? 'It has no holdings.' : deletedText;
  return (
    <div className="mt-4 grid gap-4">
      <FormErrors problems={problems} title="Could not delete the account" />
      <p id="confirm-deletion">
        <span className="font-medium">{`Delete “${name}”?`}</span>{' '}
        <span className="text-ink-soft">
          {`${holdingsText} This cannot be undone. Your net-worth history is kept.`}
        </span>
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button autoFocus aria-describedby="confirm-deletion" onClick={onCancel}>
          Cancel
        </Button>
        <Button
          variant="danger"
          pending={pending}
          onClick={() => run((queries) => deleteAccount(queries, account), onDone)}
        >
          Delete the account
        </Button>
      </div>
    </div>
  );
}
