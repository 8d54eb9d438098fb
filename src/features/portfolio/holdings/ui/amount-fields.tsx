import { formatNumberInput } from '../../../../ui/kit/parse-number.ts';
import { formatLocale } from '../../../../ui/kit/format-locale.ts';
import { type FormProblem, getFieldProblem } from '../../../../ui/kit/form-errors.tsx';
import { TextField } from '../../../../ui/kit/text-field.tsx';
import type { Holding } from '../contract.ts';

const HIDDEN_HINT = 'Hidden. Leave empty to keep the current value.';

interface AmountFieldsProps {
  security: { asset_type?: Holding['asset_type']; currency?: string | null } | null;
  problems: readonly FormProblem[];
  /** Existing values, if the holding is edited. */
  holding?: Pick<Holding, 'quantity' | 'cost_basis'>;
  privacy?: boolean;
}

/** Edits the quantity of a security and its cost. */
export function AmountFields({ security, problems, holding, privacy = false }: AmountFieldsProps) {
  const isBond = security?.asset_type === 'bond';
  const quantityHint = isBond ? 'Amount repaid at maturity' : 'Number of shares (fractions allowed)';
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        name="quantity"
        label={isBond ? 'Face value' : 'Quantity'}
        inputMode="decimal"
        autoComplete="off"
        autoFocus={holding !== undefined}
        defaultValue={privacy || !holding ? '' : formatNumberInput(holding.quantity, formatLocale.get())}
        hint={privacy ? HIDDEN_HINT : quantityHint}
        error={getFieldProblem(problems, 'quantity')}
      />
      <TextField
        name="cost"
        label={`Total cost${security?.currency ? `, ${security.currency}` : ''}`}
        inputMode="decimal"
        autoComplete="off"
        defaultValue={
          privacy || !holding || holding.cost_basis === null
            ? ''
            : formatNumberInput(holding.cost_basis, formatLocale.get())
        }
        hint={privacy ? HIDDEN_HINT : 'Optional'}
        error={getFieldProblem(problems, 'cost')}
      />
    </div>
  );
}
