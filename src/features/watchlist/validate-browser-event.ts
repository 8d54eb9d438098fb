import { findEventShape } from '../../platform/analytics/contract.ts';
import { upgradeSources } from './contract.ts';

const UPGRADE_SOURCES = Object.keys(upgradeSources);

/** What is wrong with an event that a browser sends: its name, or the source of a call to upgrade. */
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

/** Far beyond every plan and every list. */
const MAX_ROWS = 10_000;
const TIERS: readonly unknown[] = ['free', 'pro', 'max'];
const isCount = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_ROWS;

/**
 * Whether a browser's own tier and figures can be those of the list at the moment of an event: all are there, and no
 * more rows are locked than the limit leaves over. They describe; nothing is granted or charged by them.
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
