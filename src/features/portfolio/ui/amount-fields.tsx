import { writeNumber } from '../../../ui/kit/read-number.ts';
import { type FormProblem, problemOf } from '../../../ui/kit/form-errors.tsx';
import { TextField } from '../../../ui/kit/text-field.tsx';
import type { Holding } from '../contract.ts';

const KEPT = 'Hidden. Leave it empty to keep it.';

interface AmountFieldsProps {
  security: { asset_type?: Holding['asset_type']; currency?: string | null } | null;
  problems: readonly FormProblem[];
  /** What is owned already, where that is to be changed. */
  owned?: Pick<Holding, 'quantity' | 'cost_basis'>;
  privacy?: boolean;
}

/** How much of a security is owned, and what was paid for it. */
export function AmountFields({ security, problems, owned, privacy = false }: AmountFieldsProps) {
  const isBond = security?.asset_type === 'bond';
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        name="quantity"
        label={isBond ? 'Face value' : 'Quantity'}
        inputMode="decimal"
        autoComplete="off"
        autoFocus={owned !== undefined}
        defaultValue={privacy || !owned ? '' : writeNumber(owned.quantity, navigator.language)}
        hint={privacy ? KEPT : isBond ? 'What is paid back at maturity' : 'Shares, also parts of one'}
        error={problemOf(problems, 'quantity')}
      />
      <TextField
        name="cost"
        label={`Cost in all${security?.currency ? `, ${security.currency}` : ''}`}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={
          privacy || !owned || owned.cost_basis === null ? '' : writeNumber(owned.cost_basis, navigator.language)
        }
        hint={privacy ? KEPT : 'Optional'}
        error={problemOf(problems, 'cost')}
      />
    </div>
  );
}
