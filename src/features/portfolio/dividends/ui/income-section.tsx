import { memo, useState } from 'react';
import { formatMoney } from '../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { Explained } from '../../explain/ui/explained.tsx';
import { UnconvertedAmounts } from '../../holdings/ui/page/unconverted-amounts.tsx';
import type { DividendsResponse } from '../contract.ts';
import { formatYield } from './dividend-texts.ts';
import { IncomeBars } from './income-bars.tsx';
import { IncomeTable } from './income-table.tsx';

interface IncomeSectionProps {
  dividends: DividendsResponse;
  privacy: boolean;
}

/** Shows the dividend income of all holdings: the next twelve months, its yields, and each month as a bar. */
export const IncomeSection = memo(function IncomeSection({ dividends, privacy }: IncomeSectionProps) {
  const [isTable, setIsTable] = useState(false);
  const { months, currency, income_12_months: income } = dividends;
  if (income === null && months.length === 0) return null;
  return (
    <section aria-label="Dividend income" className="card grid gap-3 px-4 py-4 sm:px-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 className="text-small text-ink-faint">Dividend income, next 12 months</h2>
          {income !== null && (
            <p className="text-title font-semibold tracking-tight">
              <Explained figure={{ of: 'dividends', period: '12_months' }}>
                <MaskedAmount hidden={privacy}>{formatMoney(income, currency)}</MaskedAmount>
              </Explained>
            </p>
          )}
          <p className="text-small text-ink-soft">{formatYields(dividends)}</p>
          <UnconvertedAmounts amounts={dividends.excluded} privacy={privacy} className="text-small" />
        </div>
        {months.length > 0 && (
          <button type="button" className="link min-h-8 text-small" onClick={() => setIsTable(!isTable)}>
            {isTable ? 'As bars' : 'As a table'}
          </button>
        )}
      </div>
      {months.length > 0 &&
        (isTable ? (
          <IncomeTable months={months} currency={currency} privacy={privacy} />
        ) : (
          <IncomeBars months={months} currency={currency} privacy={privacy} />
        ))}
      <p className="text-micro text-ink-faint">
        Before taxes, for the shares you hold today. Expected payments are estimates from the last one.
        {months.some(({ paid }) => paid !== 0) &&
          ' Paid counts only holdings of your own accounts whose quantity has not changed since.'}
      </p>
    </section>
  );
});

function formatYields({ yield_on_value: onValue, yield_on_cost: onCost }: DividendsResponse): string {
  const parts = [
    ...(onValue === null ? [] : [`Yield ${formatYield(onValue)}`]),
    ...(onCost === null ? [] : [`${formatYield(onCost)} on cost`]),
  ];
  return parts.join(' · ');
}
