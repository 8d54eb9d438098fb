import { formatChange } from './formats.ts';
import { MaskedAmount } from './masked-amount.tsx';
import { formatSignedAmount } from './price-formats.ts';

interface AmountChangeProps {
  /** Day change or gain in `currency`. Null if it is unknown. */
  amount: number | null;
  percent: number | null;
  currency: string | null;
  /** Name of the figure, shown after it, such as "today". */
  label: string;
  /** Reason for a missing amount. */
  reason: string;
  /** In privacy mode the amount is hidden and the percentage is shown. */
  privacy: boolean;
}

/** Shows a change of money with its percentage, as "+$12.00 (+1.20%) today", or a dash with the reason. */
export function AmountChange({ amount, percent, currency, label, reason, privacy }: AmountChangeProps) {
  const name = <span className="text-ink-faint">{` ${label}`}</span>;
  if (amount === null)
    return (
      <span className="whitespace-nowrap text-ink-faint">
        <span title={reason}>
          <span aria-hidden="true">–</span>
          <span className="sr-only">{reason}:</span>
        </span>
        {name}
      </span>
    );
  const direction = amount > 0 ? 'text-gain' : 'text-loss';
  return (
    <span className={amount === 0 ? 'text-ink-faint' : direction}>
      <span className="whitespace-nowrap">
        <MaskedAmount hidden={privacy} mask="+$888.88">
          {formatSignedAmount(amount, currency)}
        </MaskedAmount>
        {percent !== null && ` (${formatChange(percent)})`}
      </span>
      {name}
    </span>
  );
}
