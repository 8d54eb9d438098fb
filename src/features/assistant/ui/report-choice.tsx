import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import type { ReportKind } from '../contract.ts';
import { formatReportTitle } from './messages.ts';
import { ReportPicture } from './report-picture.tsx';
import { type AssistantStatus, symbolsQuery } from './queries.ts';

interface ReportChoiceProps {
  reports: AssistantStatus['reports'];
  /** The ticker of the last report. */
  symbol: string | null;
  onChoose: (kind: ReportKind, symbol: string | null) => void;
}

const gridClass = 'grid grid-cols-[repeat(auto-fit,minmax(min(13rem,100%),1fr))] gap-2';

interface ReportButtonProps extends Pick<ReportChoiceProps, 'onChoose'> {
  kind: ReportKind;
  symbol: string | null;
}

/** Button with the question that a report answers, beside a picture of its content. */
const ReportButton = ({ kind, symbol, onChoose }: ReportButtonProps) => (
  <button
    type="button"
    className="flex items-center gap-3 rounded-control border border-line bg-surface p-2 text-start hover:bg-sunken"
    onClick={() => onChoose(kind, symbol)}
  >
    <ReportPicture kind={kind} />
    <span className="min-w-0 font-medium break-words">{formatReportTitle(kind, symbol)}</span>
  </button>
);

/** Menu of the plain reports: on all data of the member, and on one ticker. */
export function ReportChoice({ reports, symbol: lastSymbol, onChoose }: ReportChoiceProps) {
  const id = useId();
  const { data: symbols, error, isPending, refetch } = useQuery(symbolsQuery);
  const [selectedSymbol, setSelectedSymbol] = useState<string | null>(null);
  const listedSymbols = symbols ?? [];
  const allSymbols =
    lastSymbol === null || listedSymbols.some(({ symbol }) => symbol === lastSymbol)
      ? listedSymbols
      : [{ symbol: lastSymbol, name: null }, ...listedSymbols];
  const symbol = selectedSymbol ?? lastSymbol ?? allSymbols[0]?.symbol ?? null;
  const tickerReports = reports.filter((one) => one.takes_symbol);
  const portfolioReports = reports.filter((one) => !one.takes_symbol);
  const isFailed = error !== null && lastSymbol === null;
  return (
    <section aria-labelledby={`${id}-title`} className="grid gap-4">
      <h3 id={`${id}-title`} className="font-semibold">
        Reports
      </h3>
      <div className={gridClass}>
        {portfolioReports.map(({ kind }) => (
          <ReportButton key={kind} kind={kind} symbol={null} onChoose={onChoose} />
        ))}
      </div>
      {isFailed && (
        <ErrorMessage
          error={error}
          retry={() => {
            void refetch();
          }}
        />
      )}
      {!isFailed && allSymbols.length > 0 && (
        <div className="grid gap-2">
          <label htmlFor={id} className="text-small font-medium text-ink">
            About one ticker
          </label>
          <select
            id={id}
            className="field"
            value={symbol ?? ''}
            onChange={(event) => setSelectedSymbol(event.target.value)}
          >
            {allSymbols.map((one) => (
              <option key={one.symbol} value={one.symbol}>
                {one.name === null ? one.symbol : `${one.symbol}, ${one.name}`}
              </option>
            ))}
          </select>
          <div className={gridClass}>
            {tickerReports.map(({ kind }) => (
              <ReportButton key={kind} kind={kind} symbol={symbol} onChoose={onChoose} />
            ))}
          </div>
        </div>
      )}
      {!isFailed && allSymbols.length === 0 && !isPending && (
        <p className="text-small text-ink-soft">Add a ticker or an investment to see reports about it.</p>
      )}
    </section>
  );
}
