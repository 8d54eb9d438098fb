import { Button } from '../../../ui/kit/button.tsx';
import { formatMoney } from '../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../ui/kit/masked-amount.tsx';
import { AmountChange } from '../../../ui/shell/market/amount-change.tsx';
import { formatQuantity } from '../../../ui/shell/market/price-formats.ts';
import type { Position, PositionPart } from '../../portfolio/contract.ts';

interface SecurityPositionProps {
  position: Position;
  privacy: boolean;
  onEdit: () => void;
}

/**
 * Shows the member's holdings of the security with gain and day change, in total and by account. In privacy mode the
 * amounts are blurred and hidden from screen readers.
 */
export function SecurityPosition({ position, privacy, onEdit }: SecurityPositionProps) {
  const { value, currency, accounts, gain, change_amount: changeAmount, change_1d: changePercent } = position;
  const hasPrice = value !== null;
  return (
    <section aria-label="Your position" className="rounded-control bg-sunken px-4 py-3 text-small">
      <div className="flex items-center justify-between gap-4">
        <h3 className="font-semibold">Your position</h3>
        <Button variant="quiet" className="-me-2 min-h-8 px-2 text-small" onClick={onEdit}>
          Edit
        </Button>
      </div>
      <p className="text-lead font-semibold">
        {hasPrice ? (
          <MaskedAmount hidden={privacy}>{formatMoney(value, currency ?? 'USD')}</MaskedAmount>
        ) : (
          'No value yet'
        )}
      </p>
      <p className="flex flex-wrap gap-x-3">
        <AmountChange
          amount={gain?.amount ?? null}
          percent={gain?.percent ?? null}
          currency={currency}
          label="gain"
          reason={hasPrice ? 'Cost unknown' : 'No price yet'}
          privacy={privacy}
        />
        <AmountChange
          amount={changeAmount}
          percent={changePercent}
          currency={currency}
          label="day"
          reason={hasPrice ? 'No day change' : 'No price yet'}
          privacy={privacy}
        />
      </p>
      <ul className="mt-2 grid gap-1 border-t border-line pt-2">
        {accounts.map((part) => (
          <AccountRow key={part.account_id} part={part} privacy={privacy} isOnly={accounts.length === 1} />
        ))}
      </ul>
    </section>
  );
}

/** Shows the holdings in one account. The gain of the only account is that of the position. */
function AccountRow({ part, privacy, isOnly }: { part: PositionPart; privacy: boolean; isOnly: boolean }) {
  const value = part.value === null ? 'no value yet' : formatMoney(part.value, part.currency ?? 'USD');
  return (
    <li className="flex justify-between gap-4">
      <span className="truncate text-ink-soft">{part.account_name}</span>
      <span className="shrink-0 text-end font-medium">
        <MaskedAmount hidden={privacy}>{`${formatQuantity(part.quantity)} · ${value}`}</MaskedAmount>
        {!isOnly && (
          <span className="block text-micro">
            <AmountChange
              amount={part.gain?.amount ?? null}
              percent={part.gain?.percent ?? null}
              currency={part.currency}
              label="gain"
              reason={part.value === null ? 'No price yet' : 'Cost unknown'}
              privacy={privacy}
            />
          </span>
        )}
      </span>
    </li>
  );
}
