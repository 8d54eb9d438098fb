import type { Watchlist } from '../contract.ts';

const MINUTE = 60_000;
const QUARTER_HOUR = 15 * MINUTE;
const HOUR = 60 * MINUTE;
/** The service has noticed the change of session by then. */
const GRACE = 5_000;

/**
 * Milliseconds until the list is read again: while there is trading every quarter of an hour, and at each change of
 * session. Never longer than an hour: a timer stands still while the device sleeps. Never shorter than a minute,
 * whatever the device's clock says.
 */
export function readAgainIn(market: Watchlist['market'] | undefined, now: number): number | false {
  if (!market) return false;
  const change = Date.parse(market.next_change_at) - now + GRACE;
  return Math.max(MINUTE, Math.min(change, market.session === 'closed' ? HOUR : QUARTER_HOUR));
}
