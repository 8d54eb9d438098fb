import { memo } from 'react';
import { formatEastern } from '../../../ui/kit/new-york-time.ts';
import { PanelSampleBadge } from '../../../ui/shell/layout/sample-badge.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { MaskedAmount } from '../../../ui/kit/masked-amount.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import { splitAtAmounts } from './figures.ts';
import { LinkedTickers } from './linked-tickers.tsx';
import { listSymbols, ResultTable } from './result-table.tsx';
import { SourceList } from './source-list.tsx';
import type { ReportEntry } from './thread.ts';

interface ReportViewProps {
  entry: ReportEntry;
  privacy: boolean;
  onRetry: () => void;
}

/** Shows a plain report: its sentences, table and sources. All times are in New York time. */
export const ReportView = memo(function ReportView({ entry: { report, error }, privacy, onRetry }: ReportViewProps) {
  if (error) return <ErrorMessage error={error} retry={onRetry} />;
  if (!report) return <Skeleton lines={3} label="Creating report…" />;
  const { title, as_of: asOf, lines, table, sources, incomplete, sample_data: isSample } = report;
  const symbols = [...(report.symbol === null ? [] : [report.symbol]), ...(table ? listSymbols(table) : [])];
  return (
    <div className="grid min-w-0 gap-3 break-words">
      <div>
        <h3 className="font-semibold">{title}</h3>
        <p className="flex flex-wrap items-center gap-2 text-micro text-ink-faint">
          {`As of ${formatEastern(new Date(asOf))}`}
          {isSample && <PanelSampleBadge />}
        </p>
      </div>
      {lines.map(({ text, amounts }, lineIndex) => (
        <p key={lineIndex}>
          {splitAtAmounts(text, amounts).map((piece, index) =>
            piece.isFigure ? (
              <MaskedAmount key={index} hidden={privacy} mask="888">
                {piece.text}
              </MaskedAmount>
            ) : (
              <LinkedTickers key={index} text={piece.text} symbols={symbols} />
            ),
          )}
        </p>
      ))}
      {table && table.rows.length > 0 && (
        <ResultTable label={table.title} table={table} privacy={privacy} amountColumns={table.amount_columns} />
      )}
      <SourceList links={sources} label="Sources" />
      {incomplete.map((remark) => (
        <p key={remark} className="text-small text-warn">
          {remark}
        </p>
      ))}
    </div>
  );
});
