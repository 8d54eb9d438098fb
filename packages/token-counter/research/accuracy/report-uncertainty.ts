/** Formats the section of docs/reference/accuracy.md about the bounds of a count. */
import { exactByRule, families, features, type Group, inScope } from './classes.ts';
import type { CleanRecord } from './records.ts';
import { computeCrossValidatedMargins, type Residual } from './uncertainty.ts';

/**
 * Formats for each group the share of records within bounds computed without their repository, and the width of these
 * bounds.
 */
export function formatCoverageTable(records: readonly CleanRecord[], residuals: readonly Residual[]): string[] {
  const bounds = computeCrossValidatedMargins(residuals);
  const formatLine = (group: Group): string => {
    const rows = residuals.flatMap((residual, index) => {
      const clean = records[index];
      return clean && group.includes(clean) ? [{ ...residual, margin: bounds[index] ?? 0 }] : [];
    });
    const withinCount = rows.filter(({ counted, recorded, margin }) => Math.abs(counted - recorded) <= margin).length;
    const widths = rows.map(({ margin, counted }) => (100 * margin) / Math.max(1, counted)).toSorted((a, b) => a - b);
    const getWidth = (share: number): string => (widths[Math.ceil(share * widths.length) - 1] ?? 0).toFixed(2);
    const share = rows.length === 0 ? '\u2013' : ((100 * withinCount) / rows.length).toFixed(1);
    return `| ${group.title} | ${rows.length} | ${share} | ${getWidth(0.5)} | ${getWidth(0.9)} |`;
  };
  return [
    '| group | n | within the bounds % | half width %, median | p90 |',
    '|---|---|---|---|---|',
    ...[inScope, exactByRule, ...families, ...features].map(formatLine),
  ];
}
