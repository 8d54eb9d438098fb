import { marketCalendar } from '../../domain/market-calendar.ts';

/**
 * Names of US exchanges: Financial Modeling Prep (NASDAQ, AMEX, PNK), Finnhub (NEW YORK STOCK EXCHANGE, INC.) and the
 * simulator (NYSE Arca). Whole names are compared, since Stockholm has a Nasdaq and Toronto a Cboe.
 */
const US_EXCHANGES =
  '^(US|NASDAQ|NYSE|AMEX|CBOE|BATS|OTC|PNK|OQB|(NASDAQ[ /](NMS|NGS|NCM|GLOBAL|CAPITAL)|NYSE (ARCA|MKT|AMERICAN)|' +
  'NEW YORK STOCK EXCHANGE|CBOE BZX|BATS EXCHANGE|OTC MARKETS)([ ,].*)?)$';

/**
 * True if the listing `t` trades on New York's market days. A listing with no exchange or an unknown one counts as
 * foreign.
 */
export const TRADES_ON_NEW_YORK_DAYS = `coalesce(t.exchange ~* '${US_EXCHANGES}', false)`;

/** Time in ms from the New York open to 16:35. */
const CLOSED_EVERYWHERE_AFTER_OPEN_MS = (7 * 60 + 5) * 60_000;

/** Returns the last New York market day that has ended on all exchanges. Other American exchanges have no half days. */
export function getLastDayClosedEverywhere(instant: Date): string {
  const day = marketCalendar.getLastClosedDay(instant);
  const closedEverywhereAt = marketCalendar.getTradingHours(day)!.open.getTime() + CLOSED_EVERYWHERE_AFTER_OPEN_MS;
  return instant.getTime() >= closedEverywhereAt ? day : marketCalendar.addMarketDays(day, -1);
}
