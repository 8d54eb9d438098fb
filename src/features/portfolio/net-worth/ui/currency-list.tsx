import { formatMoney, formatRate } from '../../../../ui/kit/formats.ts';
import { Explained } from '../../explain/ui/explained.tsx';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { formatCalendarDay } from '../../../../ui/kit/new-york-time.ts';
import type { BaseNetWorth, NetWorthResponse } from '../contract.ts';

type CurrencyAmount = Pick<NetWorthResponse['currencies'][number], 'currency' | 'total'>;

interface CurrencyListProps {
  amounts: readonly CurrencyAmount[];
  base: BaseNetWorth;
  privacy: boolean;
}

/**
 * Lists the amount of each currency with its rate and date. Empty if there is only the base currency. The list is closed
 * at first, so that the card has the same height for any number of currencies.
 */
export function CurrencyList({ amounts, base, privacy }: CurrencyListProps) {
  const rateByCurrency = new Map(base.rates.map((rate) => [rate.currency, rate]));
  const included = amounts.filter(({ currency }) => currency === base.currency || rateByCurrency.has(currency));
  if (base.rates.length === 0) return null;
  const oldestRate = base.rates.reduce((oldest, rate) => (rate.rate_date < oldest.rate_date ? rate : oldest));
  return (
    <details className="mt-2 text-small">
      <summary className={`cursor-pointer rounded-control ${oldestRate.stale ? 'text-loss' : 'text-ink-soft'}`}>
        {`${included.length} ${included.length === 1 ? 'currency' : 'currencies'}, ${oldestRate.stale ? 'old rate' : 'rates'} of ${formatCalendarDay(oldestRate.rate_date)}`}
      </summary>
      <ul aria-label="Currencies" className="mt-1 grid gap-1">
        {included.map(({ currency, total }) => {
          const rate = rateByCurrency.get(currency);
          return (
            <li key={currency} className="flex flex-wrap items-baseline justify-between gap-x-4">
              <span className="font-medium">
                <span className="text-ink-soft">{currency}</span>{' '}
                <Explained figure={{ of: 'currency', currency }}>
                  <MaskedAmount hidden={privacy}>{formatMoney(total, currency)}</MaskedAmount>
                </Explained>
              </span>
              {rate && (
                <span className={rate.stale ? 'text-loss' : 'text-ink-faint'}>
                  {`1 ${currency} = ${formatRate(rate.rate, [total], base.currency)} ${base.currency} · ${formatCalendarDay(rate.rate_date)}`}
                  {rate.stale && ' (old rate)'}
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </details>
  );
}

/** Says which amounts the figure leaves out because their currency has no rate. */
export function ExcludedAmounts({ excluded, privacy }: { excluded: BaseNetWorth['excluded']; privacy: boolean }) {
  if (excluded.length === 0) return null;
  return (
    <p className="pt-2 text-small text-ink-soft">
      {'Not included: '}
      {excluded.map(({ currency, amount }, index) => (
        <span key={currency}>
          {index > 0 && ', '}
          <MaskedAmount hidden={privacy}>{formatMoney(amount, currency)}</MaskedAmount>
          {' (no rate)'}
        </span>
      ))}
    </p>
  );
}
