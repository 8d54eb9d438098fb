import { formatMoney } from '../../../../ui/kit/formats.ts';
import { AmountChange } from '../../../../ui/shell/market/amount-change.tsx';
import { formatQuantity } from '../../../../ui/shell/market/price-formats.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import type { Position } from '../../contract.ts';

interface TickerPositionProps {
  positions: readonly Position[];
  currency: string | null;
  privacy: boolean;
}

/**
 * Shows the member's holdings of the ticker by account. In privacy mode the figures are blurred and hidden from screen
 * readers.
 */
export function TickerPosition({ positions, currency, privacy }: TickerPositionProps) {
  const formatValue = (value: number | null, positionCurrency: string | null): string =>
    value === null ? 'no value yet' : formatMoney(value, positionCurrency ?? currency ?? 'USD');
  return (
    <section aria-label="Your position" className="rounded-control bg-sunken px-4 py-3 text-small">
      <h3 className="font-semibold">Your position</h3>
      <ul className="mt-1 grid gap-1">
        {positions.map((position) => (
          <li key={position.account_id} className="flex justify-between gap-4">
            <span className="truncate text-ink-soft">{position.account_name}</span>
            <span className="text-end font-medium">
              <MaskedAmount
                hidden={privacy}
              >{`${formatQuantity(position.quantity)} · ${formatValue(position.value, position.currency)}`}</MaskedAmount>
              <span className="block">
                <AmountChange
                  amount={position.gain?.amount ?? null}
                  percent={position.gain?.percent ?? null}
                  currency={position.currency ?? currency}
                  label="gain"
                  reason={position.value === null ? 'No price yet' : 'Cost unknown'}
                  privacy={privacy}
                />
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
