import { BYTE_ORDER_MARK, formatCsvLine } from '../../platform/http/csv.ts';
import type { RequestContext } from './context.ts';
import { readUnlessTierUnavailable } from './tier-fallback.ts';
import { type ListRow, readList } from './queries.ts';

const COLUMNS = 'symbol name asset_type currency price price_unit price_at locked added_on sample'.split(' ');

/**
 * Returns the list as CSV (RFC 4180) in the member's order. A locked row has no price. `sample` marks a price of the
 * simulator. The import reads this format. Returns undefined if the tier is unavailable: a stored file could not show
 * that prices or rows are missing.
 */
export async function exportWatchlist(context: RequestContext): Promise<string | undefined> {
  const list = await readUnlessTierUnavailable(context, readList(context.sql, context.member.idpId));
  return list && writeCsv(list.rows);
}

export function writeCsv(rows: readonly ListRow[]): string {
  const lines = rows.map((row) => [
    row.symbol,
    row.name ?? '',
    row.asset_type,
    row.currency ?? '',
    row.price === null ? '' : String(row.price),
    row.asset_type === 'bond' ? 'percent_of_par' : 'currency',
    row.price_at?.toISOString() ?? '',
    row.locked ? 'yes' : 'no',
    row.created_at.toISOString().slice(0, 10),
    row.sample ? 'yes' : 'no',
  ]);
  return BYTE_ORDER_MARK + [COLUMNS, ...lines].map(formatCsvLine).join('');
}
