import { formatMoney } from '../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { MissingFigure } from '../../../../ui/kit/missing-figure.tsx';
import { Explained } from '../../explain/ui/explained.tsx';
import type { HoldingTarget } from '../../explain/ui/explained-figure.ts';
import type { GroupFigures } from './page/calculate-figures.ts';
import { TotalDayChange, TotalsGain } from './totals-changes.tsx';

interface PortfolioTotalsProps {
  label: string;
  /** Figures of the holdings in the base currency. */
  figures: GroupFigures;
  /** Base currency. */
  currency: string;
  /** Number of rows that have the figures. */
  count: number;
  /** Name of the day of the day changes. */
  day: string;
  privacy: boolean;
  explained: HoldingTarget;
  /** Whether the figures are the page's main ones. */
  isLarge?: boolean;
}

/** Shows value, day change and gain of holdings. */
export function PortfolioTotals({ label, figures, currency, isLarge = false, ...more }: PortfolioTotalsProps) {
  const { totals, unconverted } = figures;
  const { count, privacy, explained } = more;
  return (
    <div
      className={`flex flex-wrap justify-between ${isLarge ? 'items-end gap-x-8' : 'min-h-12 items-center gap-x-3'}`}
    >
      <div>
        <p className={`text-ink-faint ${isLarge ? 'text-small' : 'text-micro'}`}>{label}</p>
        <p className={`font-semibold ${isLarge ? 'text-figure tracking-tight' : 'leading-6'}`}>
          {totals?.value == null ? (
            <MissingFigure reason={getMissingReason(count, unconverted)} />
          ) : (
            <Explained figure={{ ...explained, figure: 'value', shown: totals.value }}>
              <MaskedAmount hidden={privacy}>{formatMoney(totals.value, currency)}</MaskedAmount>
            </Explained>
          )}
        </p>
      </div>
      {totals && (
        <div
          className={
            isLarge ? 'text-small leading-6 sm:text-end sm:text-lead sm:leading-7' : 'text-end text-micro leading-6'
          }
        >
          <p>
            <TotalDayChange totals={totals} {...more} />
          </p>
          <p>
            <TotalsGain totals={totals} {...more} />
          </p>
        </div>
      )}
    </div>
  );
}

function getMissingReason(count: number, unconverted: GroupFigures['unconverted']): string {
  if (count === 0) return 'No holdings';
  return unconverted.length > 0 ? 'No exchange rate' : 'No price yet';
}
