import { useState } from 'react';
import { formatFigure } from '../../../../ui/kit/formats.ts';
import { formatCalendarDay } from '../../../../ui/shell/market/new-york-time.ts';
import { Badge } from '../../../../ui/kit/badge.tsx';
import type { Report } from '../../dashboard/contract.ts';
import { CardFoot } from './card-foot.tsx';
import { useEarnings } from './card-queries.ts';
import type { CardProps } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { CardShell, RowSkeleton } from './card-shell.tsx';
import { EmptyCard } from './empty-card.tsx';
import { dayParts, whenWords } from './card-words.ts';

const FIRST_ROWS = 6;

const nobodyReports = <EmptyCard title="Know who reports next" text="Reports of what you own or watch stand here." />;

/** The dashboard's card `earnings`: who reports next, of what is held and what is watched. */
export function EarningsCard({ hasWatchlist, has, onEvent }: CardProps) {
  const [open, setOpen] = useState(false);
  const noReports = hasWatchlist ? (
    <EmptyCard
      title="No reports ahead"
      text="None of your companies reports in the next 90 days."
      small={!has.follows}
    />
  ) : (
    nobodyReports
  );
  return (
    <CardShell
      title="Upcoming earnings"
      query={useEarnings()}
      skeleton={has.follows ? <RowSkeleton rows={FIRST_ROWS} /> : nobodyReports}
    >
      {({ earnings, complete }) => (
        <>
          {earnings.length === 0 ? (
            noReports
          ) : (
            <ul aria-label="Upcoming earnings">
              {(open ? earnings : earnings.slice(0, FIRST_ROWS)).map((report) => (
                <ReportRow key={`${report.symbol} ${report.date}`} report={report} />
              ))}
            </ul>
          )}
          {!complete && (
            <p className="border-t border-line px-4 py-2 text-small text-ink-faint sm:px-5">
              Some watched companies could not be looked up right now.
            </p>
          )}
          {earnings.length > FIRST_ROWS && (
            <CardFoot
              open={open}
              count={earnings.length}
              noun="reports"
              onToggle={() => {
                if (!open)
                  onEvent('dashboard_earnings_view_all_clicked', {
                    watching_count: earnings.filter(isWatching).length,
                  });
                setOpen(!open);
              }}
            />
          )}
        </>
      )}
    </CardShell>
  );
}

const isWatching = ({ watching, held }: Report): boolean => watching && !held;

function ReportRow({ report }: { report: Report }) {
  const { symbol, name, date, when, eps_estimate: eps } = report;
  const { month, day } = dayParts(date);
  return (
    <li className="flex min-h-13 items-center gap-3 border-t border-line px-4 py-0.5 first:border-transparent sm:px-5">
      <time dateTime={date} className="grid w-8 shrink-0 justify-items-center leading-none">
        <span className="sr-only">{formatCalendarDay(date)}</span>
        <span aria-hidden="true" className="text-micro text-ink-faint">
          {month}
        </span>
        <span aria-hidden="true" className="text-lead font-semibold">
          {day}
        </span>
      </time>
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{symbol}</p>
        <p className="flex items-center gap-2">
          {isWatching(report) && <Badge tone="accent">Watching</Badge>}
          <span className="min-w-0 truncate text-small text-ink-soft">{name}</span>
        </p>
      </div>
      {/* On a phone the words break into lines instead of covering the symbol. */}
      <div className="max-w-1/2 text-end text-small">
        <p className={report.market_days <= 1 ? 'font-medium text-warn' : 'text-ink-soft'}>{whenWords(report)}</p>
        <p className="text-ink-faint">
          {eps === null ? (when === null ? '' : 'No estimate') : `EPS ${formatFigure(eps, 2)}`}
        </p>
      </div>
    </li>
  );
}
