import { formatMoney, formatRate } from '../../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import { Explained } from '../../../explain/ui/explained.tsx';
import { formatCalendarDay } from '../../../../../ui/kit/new-york-time.ts';
import type { PortfolioHolding, PortfolioHoldings } from '../../contract.ts';
import { PortfolioTotals } from '../portfolio-totals.tsx';
import { OmittedHoldings } from '../totals-changes.tsx';
import type { GroupFigures } from './calculate-figures.ts';
import { listIds } from './list-ids.ts';
import { UnconvertedAmounts } from './unconverted-amounts.tsx';

interface PortfolioSummaryProps {
  /** Name of the total. */
  label: string;
  holdings: readonly PortfolioHolding[];
  /** Figures of the holdings. */
  figures: GroupFigures;
  currency: string;
  rates: PortfolioHoldings['rates'];
  cash: PortfolioHoldings['cash'];
  /** Amounts of net worth, to name the cash that is not part of the total. Undefined without cash or with a filter. */
  netWorth?: PortfolioHoldings['base'] | undefined;
  /** Name of the day of the day changes. */
  day: string;
  privacy: boolean;
}

/** Shows value, day change and gain of the shown holdings, what they leave out, and the used rates. */
export function PortfolioSummary({
  label,
  holdings,
  figures,
  currency,
  rates,
  cash,
  day,
  netWorth,
  privacy,
}: PortfolioSummaryProps) {
  const { totals, unconverted } = figures;
  return (
    <div>
      <PortfolioTotals
        label={label}
        figures={figures}
        currency={currency}
        count={holdings.length}
        day={day}
        privacy={privacy}
        explained={{ of: 'selection', ids: listIds(holdings), name: label.toLowerCase() }}
        isLarge
      />
      {netWorth && (
        <p className="text-small text-ink-soft">
          {'With cash and debts, net worth is '}
          <Explained figure={{ of: 'net-worth', part: 'total' }}>
            <MaskedAmount hidden={privacy}>{formatMoney(netWorth.total, currency)}</MaskedAmount>
          </Explained>
        </p>
      )}
      {totals?.change_amount != null && (
        <p className="text-micro text-ink-faint">
          The day is that of holdings at today’s rates. The day of net worth also has exchange rates, funds and bonds.
        </p>
      )}
      <UnconvertedAmounts amounts={unconverted} privacy={privacy} className="pt-1 text-small" />
      {totals && <OmittedHoldings totals={[totals]} className="text-micro text-ink-faint" />}
      {rates.length > 0 && (
        <ul aria-label="Exchange rates" className="flex flex-wrap gap-x-4 text-micro">
          {rates.map(({ currency: other, rate, rate_date: date, stale }) => (
            <li key={other} className={stale ? 'text-loss' : 'text-ink-faint'}>
              {`1 ${other} = ${formatRate(rate, listAmounts(holdings, cash, other), currency)} ${currency} · ${formatCalendarDay(date)}`}
              {stale && ' (old rate)'}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Returns the amounts in a currency that rows show beside their converted amounts. */
const listAmounts = (
  holdings: readonly PortfolioHolding[],
  cash: PortfolioHoldings['cash'],
  currency: string,
): number[] => [
  ...holdings.flatMap((holding) => (holding.currency === currency ? (holding.value ?? []) : [])),
  ...cash.filter((account) => account.currency === currency).map(({ balance }) => balance),
];
