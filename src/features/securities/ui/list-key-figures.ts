import { formatCompactMoney, formatFigure, formatPercent } from '../../../ui/kit/formats.ts';
import { formatCalendarDay, formatEastern } from '../../../ui/kit/new-york-time.ts';
import { formatAmount, formatPrice, formatVolume } from '../../../ui/kit/price-formats.ts';
import { computePriceRange } from '../../../ui/kit/price-range.ts';
import type { SecurityPart, ShownSecurity } from '../contract.ts';
import { getFundIssuer, parseBondTerms } from './parse-security-name.ts';

/** A figure as text, with a second line if there is more to say, or the reason why it is missing. */
export type KeyFigure = { label: string; text: string; detail?: string } | { label: string; reason: string };

/** Returns the figures that a security of this kind has. Bonds and mutual funds are not traded on an exchange. */
export function listKeyFigures(security: ShownSecurity): KeyFigure[] {
  const withPrice = (value: number | null, label: string, reason: string): KeyFigure =>
    value === null ? { label, reason } : { label, text: formatPrice(value, security) };
  const dayFigures = [
    withPrice(security.open, 'Open', NOT_REPORTED),
    withPrice(security.prev_close, 'Previous close', NOT_REPORTED),
    getRange(security, 'Day’s range', [security.day_low, security.day_high], NOT_REPORTED),
  ];
  switch (security.asset_type) {
    case 'stock':
      return [
        getPeRatio(security),
        getDividendYield(security),
        getYearRange(security),
        getVolume(security),
        getNextEarnings(security),
        getMarketCap(security),
        ...dayFigures,
      ];
    case 'etf':
      return [
        ...getIssuer(security),
        getDividendYield(security),
        getYearRange(security),
        getVolume(security),
        ...dayFigures,
      ];
    case 'mutual_fund':
      return [...getIssuer(security), getDividendYield(security), ...getPriceTime(security)];
    case 'bond':
      return [...getBondTerms(security), ...getPriceTime(security)];
  }
}

const NOT_REPORTED = 'Not reported by the data source';

/** Returns why a part of the response is missing, or `emptyReason` if its source has no value. */
function getMissingReason({ pending, unavailable }: ShownSecurity, part: SecurityPart, emptyReason: string): string {
  if (pending.includes(part)) return 'Loading…';
  return unavailable.includes(part) ? 'Not available right now' : emptyReason;
}

function getPeRatio(security: ShownSecurity): KeyFigure {
  const label = 'P/E';
  return security.pe_ratio === null
    ? { label, reason: getMissingReason(security, 'fundamentals', 'No profit, or not reported') }
    : { label, text: formatFigure(security.pe_ratio, 2) };
}

function getDividendYield(security: ShownSecurity): KeyFigure {
  const label = 'Dividend yield';
  const { dividend_yield: dividendYield } = security;
  if (dividendYield === null) return { label, reason: getMissingReason(security, 'fundamentals', NOT_REPORTED) };
  return { label, text: dividendYield === 0 ? 'No dividend' : formatPercent(dividendYield) };
}

function getRange(
  security: ShownSecurity,
  label: string,
  [low, high]: readonly [low: number | null, high: number | null],
  reason: string,
): KeyFigure {
  return low === null || high === null
    ? { label, reason }
    : { label, text: `${formatPrice(low, security)} – ${formatPrice(high, security)}` };
}

/** Shows the closes of a year with the prices of the current day, so that the price is never outside of its range. */
function getYearRange(security: ShownSecurity): KeyFigure {
  const { low_52w: low, high_52w: high, price, day_low: dayLow, day_high: dayHigh } = security;
  const range = computePriceRange([low, high], [price, dayLow, dayHigh]);
  return getRange(
    security,
    '52-week range',
    [range?.low ?? null, range?.high ?? null],
    getMissingReason(security, 'history', 'No price history yet'),
  );
}

function getVolume({ volume }: ShownSecurity): KeyFigure {
  const label = 'Volume';
  return volume === null ? { label, reason: NOT_REPORTED } : { label, text: formatVolume(volume) };
}

function getMarketCap({ market_cap: marketCap, currency }: ShownSecurity): KeyFigure {
  const label = 'Market cap';
  return marketCap === null
    ? { label, reason: NOT_REPORTED }
    : { label, text: formatCompactMoney(marketCap, currency ?? 'USD') };
}

/** Texts for the time of day of an earnings report. */
const reportTimes: Readonly<Record<string, string>> = {
  bmo: ', before the market opens',
  amc: ', after the market closes',
};

/** Returns the date of the next report with its time, and the estimated earnings per share. */
function getNextEarnings(security: ShownSecurity): KeyFigure {
  const label = 'Next earnings';
  const { next_report: report } = security;
  if (!report) return { label, reason: getMissingReason(security, 'earnings', 'No date within 90 days') };
  const time = reportTimes[report.when ?? ''] ?? '';
  const { eps_estimate: eps, eps_currency: currency } = report;
  const estimate =
    eps === null
      ? 'No EPS estimate'
      : `EPS estimate ${formatAmount(eps, currency)}${currency === null ? ' (source names no currency)' : ''}`;
  const detail = report.estimated ? `${estimate}, date not confirmed` : estimate;
  return { label, text: `${formatCalendarDay(report.date)}${time}`, detail };
}

function getIssuer(security: ShownSecurity): KeyFigure[] {
  const text = getFundIssuer(security);
  return text === null ? [] : [{ label: 'Issuer', text }];
}

function getBondTerms({ name }: ShownSecurity): KeyFigure[] {
  const terms = parseBondTerms(name);
  if (!terms) return [];
  return [
    { label: 'Issuer', text: terms.issuer },
    { label: 'Coupon', text: terms.coupon },
    { label: 'Maturity', text: formatCalendarDay(terms.maturity) },
  ];
}

const getPriceTime = ({ price_at: priceAt }: ShownSecurity): KeyFigure[] =>
  priceAt === null ? [] : [{ label: 'Price as of', text: formatEastern(new Date(priceAt)) }];
