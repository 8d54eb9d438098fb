import { type FormEvent, useState } from 'react';
import { fieldText } from '../../web/lib/field-text.ts';
import { Button } from '../../web/ui/button.tsx';
import { FormErrors } from '../../web/ui/form-errors.tsx';
import type { Holding } from '../contract.ts';
import { AmountFields } from './amount-fields.tsx';
import { removeHolding, saveHolding } from './change-investments.ts';
import { readHoldingChanges } from './read-changes.ts';
import { useInvestmentChange } from './use-investment-change.ts';

interface HoldingFormProps {
  holding: Holding;
  /** The fields begin empty, and one left so keeps what it hides. */
  privacy: boolean;
  onDone: () => void;
}

/** How much is held in one account and what was paid for it; the way to remove it. */
export function HoldingForm({ holding, privacy, onDone }: HoldingFormProps) {
  const { problems, pending, refuse, run } = useInvestmentChange(
    'This holding is no longer there. Another tab may have removed it.',
  );
  const [removing, setRemoving] = useState(false);

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = readHoldingChanges({ quantity: fieldText(form, 'quantity'), cost: fieldText(form, 'cost') }, privacy);
    if (!read.ok) return refuse(read.problems);
    if (Object.keys(read.changes).length === 0) return onDone();
    setRemoving(false);
    run((queries) => saveHolding(queries, holding.id, read.changes), onDone);
  }

  function remove(): void {
    setRemoving(true);
    run((queries) => removeHolding(queries, holding), onDone);
  }

  return (
    <form noValidate className="mt-4 grid gap-4" onSubmit={submit}>
      <FormErrors problems={problems} title="Nothing was changed" />
      <p className="text-small text-ink-soft">{`In ${holding.account_name}`}</p>
      <AmountFields security={holding} problems={problems} owned={holding} privacy={privacy} />
      <div className="flex flex-wrap items-center justify-end gap-2">
        <Button look="danger" className="me-auto" pending={pending && removing} onClick={remove}>
          Remove
        </Button>
        <Button onClick={onDone}>Cancel</Button>
        <Button type="submit" look="primary" pending={pending && !removing}>
          Save
        </Button>
      </div>
    </form>
  );
}
