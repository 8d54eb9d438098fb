import type { ImportResponse, ImportRow, LeftOutReason } from '../../import/contract.ts';

export const formatNames: Readonly<Record<ImportResponse['format'], string>> = {
  template: 'Template',
  schwab: 'Schwab',
  fidelity: 'Fidelity',
  vanguard: 'Vanguard',
  interactive_brokers: 'Interactive Brokers',
  degiro: 'Degiro',
  table: 'Table',
};

export const reasonTexts: Readonly<Record<LeftOutReason, string>> = {
  unknown: 'Not found',
  not_looked_up: 'Not checked yet. Import again in a minute.',
  other_currency: 'Listed in another currency',
  option: 'Options are not supported',
  crypto: 'Crypto is not supported',
  unsupported: 'This kind of asset is not supported',
  short: 'Short positions are not supported',
  zero: 'No shares',
  pending: 'Not settled yet',
  kept: 'Kept as it is',
  cash_currency: 'The account has another currency',
  too_large: 'The lines add up to more than can be stored',
};

/** Groups of a preview after the errors, in order. */
export const outcomeTitles: Readonly<Record<ImportRow['outcome'], string>> = {
  new: 'New',
  changed: 'Changed',
  same: 'The same',
  left_out: 'Left out',
};

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const isWritten = ({ outcome }: ImportRow): boolean => outcome === 'new' || outcome === 'changed';

/** Counts the holdings and the cash balances that an import writes. */
function countChanges(rows: readonly ImportRow[]): { holdings: number; balances: number } {
  const written = rows.filter(isWritten);
  const holdings = written.filter(({ kind }) => kind === 'holding').length;
  return { holdings, balances: written.length - holdings };
}

/** Returns what an import writes: `3 holdings and 1 cash balance`. Undefined if it writes nothing. */
export function describeChanges(rows: readonly ImportRow[]): string | undefined {
  const { holdings, balances } = countChanges(rows);
  const parts = [
    ...(holdings > 0 ? [plural(holdings, 'holding')] : []),
    ...(balances > 0 ? [plural(balances, 'cash balance')] : []),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

/** Rows that the result of an import names. */
const NAMED_ROWS = 10;

/** Returns what an import left out and why: `Left out: DOGE (Crypto is not supported)`. Undefined if nothing. */
export function describeLeftOut(rows: readonly ImportRow[]): string | undefined {
  const leftOut = rows.filter(({ outcome }) => outcome === 'left_out');
  if (leftOut.length === 0) return undefined;
  const names = leftOut
    .slice(0, NAMED_ROWS)
    .map(
      ({ kind, symbol, reason }) => `${kind === 'cash' ? 'Cash' : symbol}${reason ? ` (${reasonTexts[reason]})` : ''}`,
    );
  const rest = leftOut.length - names.length;
  return `Left out: ${names.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Returns the label of the button that imports. Beside holdings, cash has no number. */
export function formatImportLabel(rows: readonly ImportRow[]): string {
  const { holdings, balances } = countChanges(rows);
  if (holdings === 0) return `Import ${plural(balances, 'cash balance')}`;
  return `Import ${plural(holdings, 'holding')}${balances > 0 ? ' and cash' : ''}`;
}

/** Returns the preview in one sentence for screen readers. */
export function summarizePreview({ errors, rows }: Pick<ImportResponse, 'errors' | 'rows'>): string {
  const count = (outcome: ImportRow['outcome']): number => rows.filter((row) => row.outcome === outcome).length;
  const parts = [
    plural(errors.length, 'error'),
    `${count('new')} new`,
    `${count('changed')} changed`,
    `${count('same')} the same`,
    `${count('left_out')} left out`,
  ];
  return `Preview: ${parts.join(', ')}.`;
}

/** Returns where a row is in the file: `Line 4`, `Lines 4, 9`. */
export const formatLines = (lines: readonly number[]): string =>
  lines.length === 1 ? `Line ${lines[0]}` : `Lines ${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ', …' : ''}`;
