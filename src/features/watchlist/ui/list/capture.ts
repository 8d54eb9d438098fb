import type { OwnProperties } from '../../../../platform/analytics/contract.ts';
import { captureEvent } from '../../../../ui/shell/events/capture-events.ts';
import type { ListState, upgradeSources, WatchlistEvent } from '../../contract.ts';

/**
 * The one way in which the card sends an event: with the properties that all of them carry. What changes the list
 * (added, removed, undone, reordered, imported, refused at the limit) is captured by the service where it happens, so
 * that nothing is counted twice; an add that the page itself refuses, since it knows the list to be full, never reaches
 * the service and is captured by the page.
 */
export function capture<Name extends WatchlistEvent>(
  event: Name,
  { tier, limit, item_count, locked_count }: ListState,
  eventProperties?: OwnProperties<Name>,
): void {
  captureEvent(event, { ...eventProperties, feature: 'watchlist', tier, limit, item_count, locked_count });
}

/** Where a call to upgrade stood. */
export type UpgradeSource = keyof typeof upgradeSources;

/** The contract's values without its code: the schemas stay out of the browser. */
const entryBySource: typeof upgradeSources = {
  dashboard_watchlist_limit: 'watchlist_limit',
  dashboard_watchlist_locked: 'watchlist_locked',
};

/**
 * The plans page, told where the upgrade was asked for: the entry source travels on through checkout to the
 * subscription, and the symbol that was to be added comes back.
 */
export function getPlansUrl(source: UpgradeSource, symbol?: string): string {
  return `/plans?entry=${entryBySource[source]}${symbol ? `&add=${encodeURIComponent(symbol)}` : ''}`;
}
