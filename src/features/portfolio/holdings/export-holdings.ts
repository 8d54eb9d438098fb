import { BYTE_ORDER_MARK, formatCsvLine } from '../../../platform/http/csv.ts';
import type { AnyHoldingRow } from './queries.ts';

const COLUMNS =
  'account symbol name asset_type quantity cost_basis currency price price_unit value price_at sample'.split(' ');

/**
 * Returns holdings as CSV (RFC 4180), with a byte order mark for spreadsheets. The import reads this format. `sample`
 * marks a price of the simulator.
 */
export function writeHoldingsCsv(rows: readonly AnyHoldingRow[]): string {
  const lines = rows.map((row) => [
    row.account_name,
    row.symbol ?? '',
    row.name ?? '',
    row.asset_type ?? '',
    { decimal: row.quantity },
    toDecimalCell(row.cost_basis),
    row.currency ?? '',
    row.price ?? '',
    row.asset_type === 'bond' ? 'percent_of_par' : 'currency',
    toDecimalCell(row.value),
    (row.price_at ?? row.as_of)?.toISOString() ?? '',
    'sample' in row && row.sample ? 'yes' : 'no',
  ]);
  return BYTE_ORDER_MARK + [COLUMNS, ...lines].map(formatCsvLine).join('');
}

const toDecimalCell = (amount: string | null) => (amount === null ? '' : { decimal: amount });
