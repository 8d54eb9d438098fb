import type { OwnProperties } from '../../../../platform/analytics/contract.ts';
import { captureEvent } from '../../../../ui/shell/events/capture-events.ts';
import type { ListState, upgradeSources, WatchlistEvent } from '../../contract.ts';

/**
 * Sends an event of the card with the common properties. The service captures successful changes and its own limit
 * rejections, so that nothing is counted twice. The page captures only adds that it rejects itself because the list is
 * full. Those requests never reach the service.
 */
export function capture<Name extends WatchlistEvent>(
  event: Name,
  { tier, limit, item_count, locked_count }: ListState,
  eventProperties?: OwnProperties<Name>,
): void {
  captureEvent(event, { ...eventProperties, feature: 'watchlist', tier, limit, item_count, locked_count });
}

/** Place of an upgrade link. */
export type UpgradeSource = keyof typeof upgradeSources;

/** Copy of the contract's values. An import would load the schemas into the browser. */
const entryBySource: typeof upgradeSources = {
  dashboard_watchlist_limit: 'watchlist_limit',
  dashboard_watchlist_locked: 'watchlist_locked',
};

/**
 * Returns the URL of the plans page. Checkout passes the entry source on to the subscription. After checkout the symbol
 * can be added.
 */
export function getPlansUrl(source: UpgradeSource, symbol?: string): string {
  return `/plans?entry=${entryBySource[source]}${symbol ? `&add=${encodeURIComponent(symbol)}` : ''}`;
}
