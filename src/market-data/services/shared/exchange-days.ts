import { marketCalendar } from '../../domain/market-calendar.ts';

/**
 * How the US exchanges are written: by Financial Modeling Prep (NASDAQ, AMEX, PNK), by Finnhub (NEW YORK STOCK
 * EXCHANGE, INC.) and by the simulator (NYSE Arca). Whole names, since Stockholm is a Nasdaq and Toronto has a Cboe.
 */
const US_EXCHANGES =
  '^(US|NASDAQ|NYSE|AMEX|CBOE|BATS|OTC|PNK|OQB|(NASDAQ[ /](NMS|NGS|NCM|GLOBAL|CAPITAL)|NYSE (ARCA|MKT|AMERICAN)|' +
  'NEW YORK STOCK EXCHANGE|CBOE BZX|BATS EXCHANGE|OTC MARKETS)([ ,].*)?)$';

/**
 * Whether the listing `t` trades on New York's days: the US ones, and all of the simulator's. What has no exchange, or
 * one that is not known to be American, may be foreign and counts as such.
 */
export const TRADES_ON_NEW_YORK_DAYS =
  `(coalesce(t.exchange ~* '${US_EXCHANGES}', false) ` + "or (t.source = 'simulator' and t.price_at is not null))";

/** From the opening to five minutes past half past four. */
const CLOSED_EVERYWHERE_AFTER_OPEN_MS = (7 * 60 + 5) * 60_000;

/** The last of New York's days that has ended everywhere: other American exchanges have no half days. */
export function getLastDayClosedEverywhere(instant: Date): string {
  const day = marketCalendar.getLastClosedDay(instant);
  const closedEverywhereAt = marketCalendar.getTradingHours(day)!.open.getTime() + CLOSED_EVERYWHERE_AFTER_OPEN_MS;
  return instant.getTime() >= closedEverywhereAt ? day : marketCalendar.addMarketDays(day, -1);
}
