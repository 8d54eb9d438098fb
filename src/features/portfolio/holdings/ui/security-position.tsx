import { Button } from '../../../../ui/kit/button.tsx';
import { formatMoney, formatPercent } from '../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { MissingFigure } from '../../../../ui/kit/missing-figure.tsx';
import { Explained } from '../../explain/ui/explained.tsx';
import type { HoldingTarget } from '../../explain/ui/explained-figure.ts';
import { AmountChange } from '../../../../ui/kit/amount-change.tsx';
import { formatPrice, formatQuantity } from '../../../../ui/kit/price-formats.ts';
import { useIsSampleUser } from '../../../../ui/shell/session/sample-user.ts';
import type { Position, PositionPart } from '../contract.ts';

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
  const { symbol, value, currency, accounts, gain, change_amount: changeAmount, change_1d: changePercent } = position;
  const explained: HoldingTarget = { of: 'position', symbol };
  const isReadOnly = useIsSampleUser();
  const hasPrice = value !== null;
  return (
    <section aria-label="Your position" className="rounded-control bg-sunken px-4 py-3 text-small">
      <div className="flex items-center justify-between gap-4">
        <h3 className="font-semibold">Your position</h3>
        {!isReadOnly && (
          <Button variant="quiet" className="-me-2 min-h-8 px-2 text-small" onClick={onEdit}>
            Edit
          </Button>
        )}
      </div>
      <p className="text-lead font-semibold">
        {hasPrice ? (
          <Explained figure={{ ...explained, figure: 'value' }}>
            <MaskedAmount hidden={privacy}>{formatMoney(value, currency ?? 'USD')}</MaskedAmount>
          </Explained>
        ) : (
          'No value yet'
        )}
      </p>
      <p className="flex flex-wrap gap-x-3">
        <Explained figure={{ ...explained, figure: 'gain' }}>
          <AmountChange
            amount={gain?.amount ?? null}
            percent={gain?.percent ?? null}
            currency={currency}
            label="gain"
            reason={hasPrice ? 'Cost unknown' : 'No price yet'}
            privacy={privacy}
          />
        </Explained>
        <Explained figure={{ ...explained, figure: 'change' }}>
          <AmountChange
            amount={changeAmount}
            percent={changePercent}
            currency={currency}
            label="day"
            reason={hasPrice ? 'No day change' : 'No price yet'}
            privacy={privacy}
          />
        </Explained>
      </p>
      <PositionDetails position={position} privacy={privacy} />
      <ul className="mt-2 grid gap-1 border-t border-line pt-2">
        {accounts.map((part) => (
          <AccountRow
            key={part.account_id}
            symbol={symbol}
            part={part}
            privacy={privacy}
            isOnly={accounts.length === 1}
          />
        ))}
      </ul>
    </section>
  );
}

/** Shows cost, average price and weight of the position. */
function PositionDetails({ position, privacy }: Pick<SecurityPositionProps, 'position' | 'privacy'>) {
  const { cost_basis: cost, quantity, currency, weight, price_unit: unit } = position;
  // The average price is rounded as every price is. For a bond it is in percent of the face value.
  const averagePrice = cost === null || quantity === 0 ? null : ((unit === 'currency' ? 1 : 100) * cost) / quantity;
  const details = [
    { label: 'Cost', value: cost === null ? null : formatMoney(cost, currency ?? 'USD'), isPrivate: true },
    {
      label: 'Average price',
      value: averagePrice === null ? null : formatPrice(averagePrice, position),
      isPrivate: true,
    },
    { label: 'Weight', value: weight === null ? null : `${formatPercent(weight)} of holdings`, isPrivate: false },
  ];
  return (
    <dl className="mt-1 flex flex-wrap gap-x-4">
      {details.map(({ label, value, isPrivate }) => (
        <div key={label} className="flex gap-1.5 whitespace-nowrap">
          <dt className="text-ink-soft">{label}</dt>
          <dd className="font-medium">
            {value === null ? (
              <MissingFigure reason={label === 'Weight' ? 'No price or exchange rate' : 'Cost unknown'} />
            ) : (
              <MaskedAmount hidden={privacy && isPrivate}>{value}</MaskedAmount>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface AccountRowProps {
  symbol: string;
  part: PositionPart;
  privacy: boolean;
  /** Whether no other account has the security. */
  isOnly: boolean;
}

/** Shows the holdings in one account. The gain of the only account is that of the position. */
function AccountRow({ symbol, part, privacy, isOnly }: AccountRowProps) {
  const value = part.value === null ? 'no value yet' : formatMoney(part.value, part.currency ?? 'USD');
  const explained: HoldingTarget = {
    of: 'position-part',
    symbol,
    accountId: part.account_id,
    name: part.account_name,
  };
  return (
    <li className="flex justify-between gap-4">
      <span className="truncate text-ink-soft">{part.account_name}</span>
      <span className="shrink-0 text-end font-medium">
        <Explained figure={{ ...explained, figure: 'value' }}>
          <MaskedAmount hidden={privacy}>{`${formatQuantity(part.quantity)} · ${value}`}</MaskedAmount>
        </Explained>
        {!isOnly && (
          <span className="block text-micro">
            <Explained figure={{ ...explained, figure: 'gain' }}>
              <AmountChange
                amount={part.gain?.amount ?? null}
                percent={part.gain?.percent ?? null}
                currency={part.currency}
                label="gain"
                reason={part.value === null ? 'No price yet' : 'Cost unknown'}
                privacy={privacy}
              />
            </Explained>
          </span>
        )}
      </span>
    </li>
  );
}
