import { Fragment, memo } from 'react';
import { formatInteger } from '../../../../ui/kit/formats.ts';
import type { ModelCount, PartRow } from './count-request-text.ts';
import { formatShare } from './format-share.ts';

interface PartsTableProps {
  models: readonly ModelCount[];
  parts: readonly PartRow[];
}

/**
 * Table of the parts of a request with the tokens of each model and their share of its count. It renders once a count,
 * because a long conversation has thousands of rows.
 */
export const PartsTable = memo(function PartsTable({ models, parts }: PartsTableProps) {
  return (
    // The table scrolls on narrow screens. Keyboard users must therefore be able to reach it. Without `relative` the
    // hidden words in its cells would widen the page.
    <div tabIndex={0} role="region" aria-label="Tokens by part" className="relative overflow-x-auto">
      <table className="w-full text-small">
        <caption className="sr-only">Tokens by part</caption>
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className="py-2 pe-4 text-start font-medium text-ink-soft">
              Part
            </th>
            {models.map((model, index) => (
              <th key={index} scope="col" className="min-w-28 py-2 ps-4 text-end font-medium text-ink-soft">
                {model.displayName}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {parts.map(({ path, label, tokens }, row) => (
            <tr key={row}>
              <th scope="row" className="max-w-96 min-w-32 py-2 pe-4 text-start font-normal wrap-anywhere">
                {label}
                {path !== '' && <PartPath path={path} />}
              </th>
              {models.map((model, column) => (
                <td key={column} className="py-2 ps-4 align-top">
                  <PartTokens part={tokens[column] ?? null} total={model.ok ? model.inputTokens : 0} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-semibold">
            <th scope="row" className="py-2 text-start">
              Input tokens
            </th>
            {models.map((model, index) => (
              <td key={index} className="py-2 ps-4 text-end">
                {model.ok ? formatInteger(model.inputTokens) : '–'}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
});

/** Shows a path that breaks after its dots. */
function PartPath({ path }: { path: string }) {
  return (
    <span className="block font-mono text-micro text-ink-faint">
      {path.split(/(?<=\.)/).map((segment, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {segment}
        </Fragment>
      ))}
    </span>
  );
}

/** Shows the tokens of one part, and its share as a number and a bar. */
function PartTokens({ part, total }: { part: PartRow['tokens'][number]; total: number }) {
  if (!part) return <span className="block text-end text-ink-faint">–</span>;
  const share = total > 0 ? Math.max(0, part.tokens / total) : 0;
  return (
    <>
      <span className="flex items-baseline justify-end gap-2">
        <span className="font-medium">
          {!part.exact && (
            <>
              <span aria-hidden="true">≈ </span>
              <span className="sr-only">about </span>
            </>
          )}
          {formatInteger(part.tokens)}
        </span>
        <span className="min-w-11 text-end text-ink-faint">{formatShare(share)}</span>
      </span>
      <span aria-hidden="true" className="mt-1 block h-1 overflow-hidden rounded-full bg-sunken">
        <span className="block h-full bg-accent" style={{ width: `${Math.min(1, share) * 100}%` }} />
      </span>
    </>
  );
}
