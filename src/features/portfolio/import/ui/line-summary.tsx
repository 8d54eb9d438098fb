import { Icon } from '../../../../ui/kit/icon.tsx';
import type { ImportResponse } from '../contract.ts';
import { countTransactions, describeLines, describeNotImported, formatLines } from './import-texts.ts';

/** Shows what will become of each line of the file, and which transactions make no holding. */
export function LineSummary({ preview: { lines, not_imported: notImported } }: { preview: ImportResponse }) {
  const summary = describeNotImported(notImported);
  return (
    <div className="grid gap-1 text-small">
      <p className="text-ink-soft">{`${describeLines(lines)}.`}</p>
      {summary !== undefined && (
        <details className="group min-w-0">
          <summary className="inline-flex min-h-9 cursor-pointer items-center gap-2 rounded-control text-ink-soft">
            <span className="shrink-0 -rotate-90 text-ink-faint group-open:rotate-0">
              <Icon name="chevron" size={12} />
            </span>
            {`${summary}: will not be imported`}
          </summary>
          <ul aria-label="Transactions that will not be imported" className="rounded-control border border-line px-3">
            {notImported.map(({ kind, lines: places }) => (
              <li
                key={kind}
                className="flex flex-wrap justify-between gap-x-3 border-t border-line py-1.5 first:border-0"
              >
                <span>{countTransactions(kind, places.length)}</span>
                <span className="text-ink-faint">{formatLines(places)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}
