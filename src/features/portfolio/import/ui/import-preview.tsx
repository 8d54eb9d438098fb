import type { ReactNode } from 'react';
import { formatFigure, formatInteger, formatMoney } from '../../../../ui/kit/formats.ts';
import { MaskedAmount } from '../../../../ui/kit/masked-amount.tsx';
import { formatQuantity } from '../../../../ui/kit/price-formats.ts';
import type { ImportResponse, ImportRow } from '../contract.ts';
import { formatPlace, outcomeTitles, reasonTexts } from './import-texts.ts';
import { useFirstRows } from './use-first-rows.tsx';

interface ImportPreviewProps {
  preview: ImportResponse;
  /** Rows that are shown elsewhere. */
  hiddenRows: ReadonlySet<ImportRow>;
  privacy: boolean;
  /** Whether a newer preview is on its way. */
  isBusy: boolean;
}

/** Shows errors first, then what is new, changed, the same and left out. */
export function ImportPreview({ preview, hiddenRows, privacy, isBusy }: ImportPreviewProps) {
  const { errors, rows, accounts } = preview;
  const unlisted = accounts.filter((account) => account.unlisted.length > 0);
  return (
    <div aria-busy={isBusy} className={`grid gap-4 ${isBusy ? 'opacity-60' : ''}`}>
      <Group
        title="Errors"
        note="These lines are not imported. Correct the file, or import the rest."
        tone="text-loss"
        items={errors}
        renderItem={({ line, column, message }, index) => (
          <li key={index} className="border-t border-line py-1.5 first:border-0">
            <p className="text-ink-faint">{`Line ${line}${column === null ? '' : `, ${column}`}`}</p>
            <p className="wrap-anywhere">{message}</p>
          </li>
        )}
      />
      {(Object.keys(outcomeTitles) as ImportRow['outcome'][]).map((outcome) => (
        <Group
          key={outcome}
          title={outcomeTitles[outcome]}
          items={rows.filter((row) => row.outcome === outcome && !hiddenRows.has(row))}
          renderItem={(row) => <PreviewRow key={`${row.lines[0]}:${row.symbol}`} row={row} privacy={privacy} />}
        />
      ))}
      {unlisted.map(({ name, unlisted: symbols }) => (
        <p key={name} className="text-small wrap-anywhere text-ink-soft">
          {`Not in the file, stays in ${name}: ${symbols.slice(0, 10).join(', ')}${symbols.length > 10 ? ` and ${symbols.length - 10} more` : ''}.`}
        </p>
      ))}
    </div>
  );
}

interface GroupProps<Item> {
  title: string;
  note?: string;
  tone?: string;
  items: readonly Item[];
  renderItem: (item: Item, index: number) => ReactNode;
}

/** Shows a titled list. An empty one is omitted, and a long one is shown in full on request. */
function Group<Item>({ title, note, tone = '', items, renderItem }: GroupProps<Item>) {
  const { shown, button } = useFirstRows(items);
  if (items.length === 0) return null;
  const heading = `${title} (${formatInteger(items.length)})`;
  return (
    <section className="min-w-0">
      <h3 className={`text-small font-semibold ${tone}`}>{heading}</h3>
      {note && <p className="text-small text-ink-soft">{note}</p>}
      <ul aria-label={title} className="mt-1.5 rounded-control border border-line px-3 text-small">
        {shown.map(renderItem)}
      </ul>
      {button}
    </section>
  );
}

function PreviewRow({ row, privacy }: { row: ImportRow; privacy: boolean }) {
  const { kind, symbol, name, renamed_from: formerSymbol, account, lines, reason, outcome } = row;
  const title = kind === 'cash' ? 'Cash' : symbol;
  return (
    <li
      className={`flex justify-between gap-x-3 border-t border-line py-1.5 first:border-0 ${
        outcome === 'left_out' || outcome === 'changed' ? 'max-sm:flex-col' : ''
      }`}
    >
      <div className="min-w-0">
        <p className="truncate">
          <span className="font-semibold">{formerSymbol ? `${formerSymbol} is ${symbol} now` : title}</span>
          {name !== null && name !== symbol && <span className="ms-2 text-ink-soft">{name}</span>}
        </p>
        <p className="wrap-anywhere text-ink-faint">{formatPlace(account, lines)}</p>
      </div>
      <div
        className={`shrink-0 ${outcome === 'left_out' ? 'sm:max-w-[55%]' : ''} ${
          outcome === 'left_out' || outcome === 'changed' ? 'sm:text-end' : 'text-end'
        }`}
      >
        {outcome === 'left_out' && reason ? (
          <p className="text-ink-soft">{reasonTexts[reason]}</p>
        ) : (
          <RowFigures row={row} privacy={privacy} />
        )}
      </div>
    </li>
  );
}

/** Shows quantity and cost, or cash. A changed figure follows its stored one. */
function RowFigures({ row, privacy }: { row: ImportRow; privacy: boolean }) {
  const { previous, outcome } = row;
  const formatAmount = (amount: number | null): string => {
    if (amount === null) return 'unknown';
    return row.currency === null ? formatFigure(amount, 4) : formatMoney(amount, row.currency);
  };
  const withPrevious = (format: (figure: number | null) => string, key: 'quantity' | 'cost_basis' | 'cash') => {
    const text = format(row[key]);
    const before = previous && outcome === 'changed' ? format(previous[key]) : text;
    return (
      <MaskedAmount hidden={privacy} mask="88">
        {before === text ? text : `${before} → ${text}`}
      </MaskedAmount>
    );
  };
  if (row.kind === 'cash') return <p className="font-medium">{withPrevious(formatAmount, 'cash')}</p>;
  return (
    <>
      <p className="font-medium">
        {withPrevious((quantity) => (quantity === null ? '–' : formatQuantity(quantity)), 'quantity')}
      </p>
      <p className="text-ink-faint">
        {'Cost '}
        {withPrevious(formatAmount, 'cost_basis')}
      </p>
    </>
  );
}
