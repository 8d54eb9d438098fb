import { chipText } from './row-words.ts';

/** A company that reports within seven days, counted in market days. The row's words say it in full. */
export function EarningsChip({ days }: { days: number }) {
  return <span className="rounded-full bg-warn-soft px-1.5 text-micro font-medium text-warn">{chipText(days)}</span>;
}
