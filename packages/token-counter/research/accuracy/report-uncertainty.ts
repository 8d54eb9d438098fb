/** The part of docs/reference/accuracy.md about the bounds that the counter gives beside a count. */
import { exactByRule, families, features, type Group, inScope } from './classes.ts';
import type { CleanRecord } from './records.ts';
import { boundsLeftOut, type Residual } from './uncertainty.ts';

/** Of each group, how many records lie within bounds made without their repository, and how wide those are. */
export function coverageTable(records: readonly CleanRecord[], residuals: readonly Residual[]): string[] {
  const bounds = boundsLeftOut(residuals);
  const line = (group: Group): string => {
    const rows = residuals.flatMap((residual, index) => {
      const clean = records[index];
      return clean && group.holds(clean) ? [{ ...residual, off: bounds[index] ?? 0 }] : [];
    });
    const within = rows.filter(({ counted, recorded, off }) => Math.abs(counted - recorded) <= off).length;
    const widths = rows.map(({ off, counted }) => (100 * off) / Math.max(1, counted)).toSorted((a, b) => a - b);
    const width = (share: number): string => (widths[Math.ceil(share * widths.length) - 1] ?? 0).toFixed(2);
    const share = rows.length === 0 ? '\u2013' : ((100 * within) / rows.length).toFixed(1);
    return `| ${group.title} | ${rows.length} | ${share} | ${width(0.5)} | ${width(0.9)} |`;
  };
  return [
    '| group | n | within the bounds % | half width %, median | p90 |',
    '|---|---|---|---|---|',
    ...[inScope, exactByRule, ...families, ...features].map(line),
  ];
}
