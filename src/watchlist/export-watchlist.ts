import type { RequestContext } from './context.ts';
import { needTier } from './need-tier.ts';
import { type ListRow, readList } from './queries.ts';

const COLUMNS = 'symbol name asset_type currency price price_unit price_at locked added_on sample'.split(' ');
/** Without it a spreadsheet takes the names for another encoding's. */
const BYTE_ORDER_MARK = '\uFEFF';

/**
 * The list as CSV (RFC 4180), in the member's order; a locked row has no price, and `sample` says whether it is the
 * simulator's. What it writes, the import reads back. `undefined` where the tier cannot be read: a file is kept for
 * long, and no reader would see that prices or rows are missing.
 */
export async function exportWatchlist(context: RequestContext): Promise<string | undefined> {
  const list = await needTier(context, readList(context.sql, context.member.idpId));
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
  return BYTE_ORDER_MARK + [COLUMNS, ...lines].map((cells) => `${cells.map(writeCell).join(',')}\r\n`).join('');
}

/**
 * A spreadsheet runs a cell that begins like a formula, so such text gets an apostrophe in front: it is shown, not run.
 */
function writeCell(text: string): string {
  const harmless = /^[\s]*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
