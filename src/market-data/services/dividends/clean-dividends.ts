import { parseCurrency } from '../../domain/currency-units.ts';
import { addDays } from '../../domain/dates.ts';
import type { DividendPayment } from '../../domain/dividends.ts';
import type { Dividend } from '../../domain/market-data-provider.ts';
import { isPrice } from '../../domain/plausible-figures.ts';

/** Number of stored payments of a security. A weekly one has this many in a year. */
const MAX_PAYMENTS = 60;
/** Days ahead beyond which an ex-date is a feed error. */
const MAX_DAYS_AHEAD = 400;
/** A large special dividend may have its ex-date a few days after the payment. */
const MAX_DAYS_EARLY = 14;
const MAX_DAYS_LATE = 400;

/** Listing whose dividends are cleaned. */
export interface DividendListing {
  symbol: string;
  currency: string | null;
  /** Minor unit that a provider declares for prices, such as GBp. */
  declared_unit: string | null;
}

/** What is wrong with a dividend. */
export type DividendFault = 'amount' | 'currency' | 'ex-date' | 'payment date' | 'duplicate';

/**
 * Returns the payments of a listing, newest first, with amounts in a currency itself (pounds, never pence), and the
 * faults that were found. A dividend in shares is left out. Of several statements about one payment the latest
 * declaration counts, else the first row. A special payment beside a regular one is a payment of its own.
 *
 * An amount without a currency is in that of the listing. For a listing in a minor unit it is left out, because it could
 * be wrong by a factor of 100.
 */
export function cleanDividends(
  dividends: readonly Dividend[],
  listing: DividendListing,
  today: string,
): { payments: DividendPayment[]; faults: DividendFault[] } {
  const faults = new Set<DividendFault>();
  const chosen = new Map<string, { payment: DividendPayment; declaredOn: string }>();
  for (const dividend of dividends) {
    if (dividend.amount === 0) continue;
    const payment = cleanDividend(dividend, listing, today, faults);
    if (!payment) continue;
    const key = `${payment.ex_date} ${payment.per_year === null ? 'special' : 'regular'}`;
    const declaredOn = dividend.declared_on ?? '';
    const other = chosen.get(key);
    if (other) faults.add('duplicate');
    if (!other || declaredOn > other.declaredOn) chosen.set(key, { payment, declaredOn });
  }
  const payments = [...chosen.values()].map(({ payment }) => payment);
  return {
    payments: payments.sort((a, b) => b.ex_date.localeCompare(a.ex_date)).slice(0, MAX_PAYMENTS),
    faults: [...faults],
  };
}

/** Returns the payment, or undefined if it cannot be used. Adds what is wrong to `faults`. */
function cleanDividend(
  dividend: Dividend,
  listing: DividendListing,
  today: string,
  faults: Set<DividendFault>,
): DividendPayment | undefined {
  const { ex_date: exDate, payment_date: paymentDate, per_year: perYear } = dividend;
  const { currency, unit } = parseCurrency(dividend.currency ?? (listing.declared_unit ? null : listing.currency));
  const amount = unit === null ? dividend.amount : Number(((dividend.amount ?? 0) / 100).toPrecision(12));
  const isExDateValid = exDate <= addDays(today, MAX_DAYS_AHEAD);
  if (!isPrice(amount)) faults.add('amount');
  if (currency === null) faults.add('currency');
  if (!isExDateValid) faults.add('ex-date');
  if (!isPrice(amount) || currency === null || !isExDateValid) return undefined;
  const isPaymentDateValid =
    paymentDate === null ||
    (paymentDate >= addDays(exDate, -MAX_DAYS_EARLY) && paymentDate <= addDays(exDate, MAX_DAYS_LATE));
  if (!isPaymentDateValid) faults.add('payment date');
  return {
    ex_date: exDate,
    payment_date: isPaymentDateValid ? paymentDate : null,
    amount,
    currency,
    per_year: perYear,
  };
}
