import { findEventShape } from '../../platform/analytics/contract.ts';
import { upgradeSources } from './contract.ts';

const UPGRADE_SOURCES = Object.keys(upgradeSources);

/** Returns the error of an event from a browser: an invalid name, or an invalid source of an upgrade click. */
export function validateBrowserEvent(
  event: string,
  { source }: Readonly<Record<string, unknown>>,
): { path: string; message: string } | undefined {
  if (findEventShape(event)?.from !== 'browser')
    return { path: 'event', message: 'is none of the events that a browser sends' };
  if (event === 'upgrade_cta_clicked' && !UPGRADE_SOURCES.includes(String(source)))
    return { path: 'properties.source', message: `must be one of ${UPGRADE_SOURCES.join(', ')}` };
  return undefined;
}

/** Upper bound of rows, far above every plan and list. */
const MAX_ROWS = 10_000;
const TIERS: readonly unknown[] = ['free', 'pro', 'max'];
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_ROWS;

/**
 * Returns whether the tier and figures of a browser can be those of the list at the time of an event. All properties
 * must exist, and no more rows may be locked than exceed the limit. The figures are descriptive only: they grant and
 * charge nothing.
 */
export function isPlausibleListState(event: string, properties: Readonly<Record<string, unknown>>): boolean {
  if (findEventShape(event)?.area !== 'watchlist') return true;
  const { tier, limit, item_count: itemCount, locked_count: lockedCount } = properties;
  return (
    TIERS.includes(tier) &&
    isCount(limit) &&
    isCount(itemCount) &&
    isCount(lockedCount) &&
    lockedCount === Math.max(0, itemCount - limit)
  );
}
