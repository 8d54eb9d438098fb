import { type FormEvent, useState } from 'react';
import { fieldText } from '../../web/lib/field-text.ts';
import { Button } from '../../web/ui/button.tsx';
import { FormErrors, problemOf } from '../../web/ui/form-errors.tsx';
import { TextField } from '../../web/ui/text-field.tsx';
import type { Account } from '../contract.ts';
import { CurrencyField } from './account-field.tsx';
import { AskDeletion } from './ask-deletion.tsx';
import { addAccount, saveAccount } from './change-investments.ts';
import { readAccountChanges } from './read-changes.ts';
import { useInvestmentChange } from './use-investment-change.ts';

interface AccountFormProps {
  /** Null for one that is to be made. */
  account: Account | null;
  privacy: boolean;
  onDone: () => void;
}

/** Name and cash of an account that is kept by hand. */
export function AccountForm({ account, privacy, onDone }: AccountFormProps) {
  const { problems, pending, refuse, run } = useInvestmentChange(
    'This account is no longer there. Another tab may have deleted it.',
  );
  const [asking, setAsking] = useState(false);
  const hidden = privacy && account !== null;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = readAccountChanges(
      { name: fieldText(form, 'account_name'), balance: fieldText(form, 'account_balance') },
      hidden,
    );
    const currency = (form.has('account_currency') ? fieldText(form, 'account_currency') : (account?.currency ?? ''))
      .trim()
      .toUpperCase();
    const wrong = /^[A-Z]{3}$/.test(currency)
      ? []
      : [{ field: 'account_currency', message: 'Three letters, such as USD.' }];
    if (!read.ok || wrong.length > 0) return refuse([...(read.ok ? [] : read.problems), ...wrong]);
    run(
      (queries) =>
        account ? saveAccount(queries, account.id, read.changes) : addAccount(queries, { ...read.changes, currency }),
      onDone,
    );
  }

  if (account && asking) return <AskDeletion account={account} onKeep={() => setAsking(false)} onDone={onDone} />;
  return (
    <form noValidate className="mt-4 grid gap-4" onSubmit={submit}>
      <FormErrors problems={problems} title={account ? 'Nothing was changed' : 'The account was not added'} />
      <TextField
        name="account_name"
        label="Name of the account"
        defaultValue={account?.name ?? ''}
        maxLength={120}
        autoComplete="off"
        autoFocus
        error={problemOf(problems, 'account_name')}
      />
      <div className="grid grid-cols-[1fr_7rem] items-start gap-3">
        <TextField
          name="account_balance"
          label={account ? `Cash, ${account.currency}` : 'Cash'}
          inputMode="decimal"
          autoComplete="off"
          defaultValue={account && !hidden ? String(account.balance) : account ? '' : '0'}
          hint={hidden ? 'Hidden. Leave it empty to keep it.' : 'Below zero where it is overdrawn'}
          error={problemOf(problems, 'account_balance')}
        />
        {!account && <CurrencyField problems={problems} />}
      </div>
      <div className="flex flex-wrap items-center justify-end gap-2">
        {account && (
          <Button look="danger" className="me-auto" onClick={() => setAsking(true)}>
            Delete
          </Button>
        )}
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" pending={pending}>
          {account ? 'Save' : 'Add account'}
        </Button>
      </div>
    </form>
  );
}
