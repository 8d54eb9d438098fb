import { Button } from '../../web/ui/button.tsx';
import { FormErrors } from '../../web/ui/form-errors.tsx';
import type { Account } from '../contract.ts';
import { deleteAccount } from './change-investments.ts';
import { useInvestmentChange } from './use-investment-change.ts';

/** Asks before an account is deleted: its holdings go with it, and there is no way back. */
export function AskDeletion({ account, onKeep, onDone }: { account: Account; onKeep: () => void; onDone: () => void }) {
  const { problems, pending, run } = useInvestmentChange(
    'This account is no longer there. Another tab may have deleted it.',
  );
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
          {`${holdings} This cannot be undone; ` + 'the history of your net worth stays.'}
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
