import { type FormEvent, useState } from 'react';
import { fieldText } from '../../../ui/kit/field-text.ts';
import { writeNumber } from '../../../ui/kit/read-number.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { FormErrors, problemOf } from '../../../ui/kit/form-errors.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import type { Account } from '../contract.ts';
import { CurrencyField } from './account-field.tsx';
import { addAccount, deleteAccount, saveAccount } from './change-investments.ts';
import { readAccountChanges } from './read-changes.ts';
import { currencyProblems } from './read-investment.ts';
import { useInvestmentChange } from './use-investment-change.ts';

const GONE = 'This account is no longer there. Another tab may have deleted it.';

interface AccountFormProps {
  /** Null for one that is to be made. */
  account: Account | null;
  privacy: boolean;
  onDone: () => void;
}

/** Name and cash of an account that is kept by hand. */
export function AccountForm({ account, privacy, onDone }: AccountFormProps) {
  const { problems, pending, refuse, run } = useInvestmentChange(GONE);
  const [asking, setAsking] = useState(false);
  const hidden = privacy && account !== null;

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const currency = account?.currency ?? fieldText(form, 'account_currency').trim().toUpperCase();
    const read = readAccountChanges(
      { name: fieldText(form, 'account_name'), balance: fieldText(form, 'account_balance') },
      { locale: navigator.language, currency },
      hidden,
    );
    const wrong = account ? [] : currencyProblems(currency);
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
          defaultValue={hidden ? '' : writeNumber(account?.balance ?? 0, navigator.language)}
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

/** Asks before an account is deleted: its holdings go with it, and there is no way back. */
function AskDeletion({ account, onKeep, onDone }: { account: Account; onKeep: () => void; onDone: () => void }) {
  const { problems, pending, run } = useInvestmentChange(GONE);
  const { name, holding_count: count } = account;
  const holdings =
    count === 0
      ? 'It has no holdings.'
      : count === 1
        ? 'Its one holding goes with it.'
        : `Its ${count} holdings go with it.`;
  return (
    <div className="mt-4 grid gap-4">
      <FormErrors problems={problems} title="The account was not deleted" />
      <p id="ask-deletion">
        <span className="font-medium">{`Delete “${name}”?`}</span>{' '}
        <span className="text-ink-soft">
          {`${holdings} This cannot be undone; the history of your net worth stays.`}
        </span>
      </p>
      <div className="flex flex-wrap justify-end gap-2">
        <Button autoFocus aria-describedby="ask-deletion" onClick={onKeep}>
          Keep it
        </Button>
        <Button
          look="danger"
          pending={pending}
          onClick={() => run((queries) => deleteAccount(queries, account), onDone)}
        >
          Delete the account
        </Button>
      </div>
    </div>
  );
}
