import { formatMoney } from '../../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import type { GroupFigures } from './calculate-figures.ts';

interface UnconvertedAmountsProps {
  amounts: GroupFigures['unconverted'];
  privacy: boolean;
  className: string;
}

/** Shows the amounts that a total leaves out because their currency has no rate. */
export function UnconvertedAmounts({ amounts, privacy, className }: UnconvertedAmountsProps) {
  if (amounts.length === 0) return null;
  return (
    <p className={`text-ink-soft ${className}`}>
      {'Not included: '}
      {amounts.map(({ currency, amount }, index) => (
        <span key={currency} className="whitespace-nowrap">
          {index > 0 && ', '}
          <MaskedAmount hidden={privacy}>{formatMoney(amount, currency)}</MaskedAmount>
          {' (no rate)'}
        </span>
      ))}
    </p>
  );
}
