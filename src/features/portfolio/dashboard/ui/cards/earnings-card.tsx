import { useState } from 'react';
import { formatAmount } from '../../../../../ui/kit/price-formats.ts';
import type { Report } from '../../contract.ts';
import { CardFooter } from './card-footer.tsx';
import { useEarnings } from './card-queries.ts';
import type { CardProps } from '../shared/dashboard-card.ts';
import { QueryCard, RowSkeleton } from './query-card.tsx';
import { EmptyCard } from './empty-card.tsx';
import { formatReportTime } from './card-formats.ts';
import { DatedRow } from './dated-row.tsx';
import { IncompleteNote } from './incomplete-note.tsx';

const COLLAPSED_ROWS = 6;

/** Shows the dashboard's card `earnings`: the next reports of held and watched companies. */
export function EarningsCard({ hasWatchlist, presence, onAddInvestment, onEvent }: CardProps) {
  const [isOpen, setIsOpen] = useState(false);
  const emptyEarnings = (
    <EmptyCard
      text="Earnings dates of companies you own or watch."
      action={{ label: 'Add investment', run: onAddInvestment }}
    />
  );
  const emptyList =
    hasWatchlist || presence.holdings ? (
      <EmptyCard text="None of your companies reports earnings in the next 90 days." />
    ) : (
      emptyEarnings
    );
  return (
    <QueryCard
      id="earnings"
      title="Upcoming earnings"
      query={useEarnings()}
      hasRows={presence.heldOrWatched}
      skeleton={presence.heldOrWatched ? <RowSkeleton rows={COLLAPSED_ROWS} /> : emptyEarnings}
    >
      {({ earnings, complete }) => (
        <>
          {earnings.length === 0 ? (
            emptyList
          ) : (
            <ul aria-label="Upcoming earnings">
              {(isOpen ? earnings : earnings.slice(0, COLLAPSED_ROWS)).map((report) => (
                <ReportRow key={`${report.symbol} ${report.date}`} report={report} />
              ))}
            </ul>
          )}
          {earnings.some(hasNoCurrency) && (
            <p className="border-t border-line px-4 py-2 text-micro text-ink-faint sm:px-5">
              The source of the EPS estimates names no currency.
            </p>
          )}
          {!complete && <IncompleteNote what="companies" />}
          {earnings.length > COLLAPSED_ROWS && (
            <CardFooter
              isOpen={isOpen}
              count={earnings.length}
              noun="reports"
              onToggle={() => {
                if (!isOpen)
                  onEvent('dashboard_earnings_view_all_clicked', {
                    watching_count: earnings.filter(isWatchedOnly).length,
                  });
                setIsOpen(!isOpen);
              }}
            />
          )}
        </>
      )}
    </QueryCard>
  );
}

const isWatchedOnly = ({ watching, held }: Report): boolean => watching && !held;

const hasNoCurrency = ({ eps_estimate: estimate, eps_currency: currency }: Report): boolean =>
  estimate !== null && currency === null;

function formatEstimate({ when, eps_estimate: estimate, eps_currency: currency }: Report): string {
  if (estimate !== null) return `EPS ${formatAmount(estimate, currency)}`;
  return when === null ? '' : 'No estimate';
}

function ReportRow({ report }: { report: Report }) {
  return (
    <DatedRow date={report.date} security={report}>
      <p className={report.market_days <= 1 ? 'font-medium text-warn' : 'text-ink-soft'}>{formatReportTime(report)}</p>
      <p className="text-ink-faint">{formatEstimate(report)}</p>
    </DatedRow>
  );
}
