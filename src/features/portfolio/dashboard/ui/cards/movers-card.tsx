import { useState } from 'react';
import { joinTabStops } from '../../../../../ui/kit/join-tab-stops.ts';
import { formatChange } from '../../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../../ui/kit/masked-amount.tsx';
import type { CardProps } from '../shared/dashboard-card.ts';
import { Explained } from '../../../explain/ui/explained.tsx';
import { getTrendClass } from '../../../../../ui/kit/price-changes.ts';
import { formatSignedAmount } from '../../../../../ui/kit/price-formats.ts';
import { SecurityLogo } from '../../../../securities/ui/shared/security-logo.tsx';
import { SecurityLink } from '../../../../../ui/shell/navigation/security-link.tsx';
import { usePortfolioHoldings } from '../../../holdings/ui/holdings-queries.ts';
import { CardFooter } from './card-footer.tsx';
import { EmptyCard } from './empty-card.tsx';
import { listMovers, type Mover } from './list-movers.ts';
import { listPositions } from '../../../holdings/ui/page/list-positions.ts';
import { QueryCard, RowSkeleton } from './query-card.tsx';

const COLLAPSED_ROWS = 6;

/** Shows the dashboard's card `movers`: the day's largest moves among what the member owns. */
export function MoversCard({ privacy, presence, onAddInvestment }: CardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const emptyMovers = (
    <EmptyCard
      text="The day’s largest moves among what you own."
      action={{ label: 'Add investment', run: onAddInvestment }}
    />
  );
  return (
    <QueryCard
      id="movers"
      title="Movers"
      query={usePortfolioHoldings()}
      hasRows={presence.holdings}
      skeleton={presence.holdings ? <RowSkeleton rows={COLLAPSED_ROWS} /> : emptyMovers}
    >
      {(portfolio) => {
        if (portfolio.holdings.length === 0) return emptyMovers;
        const { movers, withoutChange } = listMovers(listPositions(portfolio).positions);
        return (
          <>
            {movers.length === 0 ? (
              <p className="px-4 pb-4 text-small text-ink-soft sm:px-5">Nothing that you own has moved today.</p>
            ) : (
              <ul aria-label="Movers">
                {movers.slice(0, isOpen ? movers.length : COLLAPSED_ROWS).map((mover) => (
                  <MoverRow key={mover.key} mover={mover} privacy={privacy} />
                ))}
              </ul>
            )}
            {withoutChange > 0 && (
              <p className="border-t border-line px-4 py-1.5 text-micro text-ink-faint sm:px-5">
                {`${withoutChange} without a day change, such as funds and bonds`}
              </p>
            )}
            {movers.length > COLLAPSED_ROWS && (
              <CardFooter isOpen={isOpen} count={movers.length} noun="movers" onToggle={() => setIsOpen(!isOpen)} />
            )}
          </>
        );
      }}
    </QueryCard>
  );
}

function MoverRow({ mover, privacy }: { mover: Mover; privacy: boolean }) {
  const { key, ids, symbol, name, logo, change_1d: change, change_amount: amount, currency } = mover;
  return (
    <li
      ref={joinTabStops}
      className="relative flex h-13 items-center gap-3 border-t border-line px-4 first:border-transparent hover:bg-sunken sm:px-5"
    >
      <SecurityLogo symbol={key} logo={logo} />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">
          {symbol === null ? (
            key
          ) : (
            <SecurityLink symbol={symbol} className="after:absolute after:inset-0 after:content-['']">
              {symbol}
              <span className="sr-only">{` ${name}`}</span>
            </SecurityLink>
          )}
        </p>
        <p aria-hidden={symbol !== null} className="truncate text-small text-ink-soft">
          {name}
        </p>
      </div>
      <div className="shrink-0 text-end">
        <p className={`font-medium ${getTrendClass(change)}`}>{formatChange(change)}</p>
        {amount !== null && (
          <p className="text-small text-ink-soft">
            <Explained figure={{ of: 'selection', ids, name: key, figure: 'change', shown: amount }}>
              <MaskedAmount hidden={privacy} mask="+$888.88">
                {formatSignedAmount(amount, currency)}
              </MaskedAmount>
            </Explained>
          </p>
        )}
      </div>
    </li>
  );
}
