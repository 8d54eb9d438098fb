import { addDays, isWeekend, toIsoDate } from './dates.ts';

/** A dividend per share in a currency itself (pounds, never pence), adjusted for splits. */
export interface DividendPayment {
  /** First day on which a buyer does not receive it, YYYY-MM-DD. */
  ex_date: string;
  payment_date: string | null;
  amount: number;
  currency: string;
  /** Regular payments a year. null for a special or irregular one. */
  per_year: number | null;
}

/** `paid`: its day has passed. `declared`: announced with its amount. `expected`: our estimate. */
type DividendStatus = 'paid' | 'declared' | 'expected';

export interface DatedPayment extends DividendPayment {
  status: DividendStatus;
  /** Day of payment, or the ex-date if that is all that is known. */
  date: string;
}

/** Returns the last day of the next twelve months. */
export const getDividendHorizon = (today: string): string => addDays(addMonths(today, 12), -1);

/**
 * Returns the payments with what they are on a day, and the expected ones of the next twelve months, ascending. A payment
 * is expected at the last regular amount in each following interval. None is expected without a frequency, or if the next
 * one is late by more than half an interval, as after a suspension.
 */
export function datePayments(payments: readonly DividendPayment[], today: string): DatedPayment[] {
  const known = payments.map((payment): DatedPayment => {
    const date = payment.payment_date ?? payment.ex_date;
    return { ...payment, date, status: date < today ? 'paid' : 'declared' };
  });
  const [last] = payments
    .filter(({ per_year: perYear }) => perYear !== null)
    .toSorted((a, b) => b.ex_date.localeCompare(a.ex_date));
  const expected = last ? estimatePayments(last, today) : [];
  return [...known, ...expected].sort((a, b) => a.date.localeCompare(b.date));
}

/** Returns the payments after the last regular one, which are not declared yet. */
function estimatePayments(last: DividendPayment, today: string): DatedPayment[] {
  const perYear = last.per_year!;
  const intervalDays = 365 / perYear;
  if (addDays(last.ex_date, Math.ceil(1.5 * intervalDays)) < today) return [];
  const horizon = getDividendHorizon(today);
  const estimate = (count: number): DatedPayment => {
    const exDate = shift(last.ex_date, count, perYear);
    const paymentDate = last.payment_date === null ? null : shift(last.payment_date, count, perYear);
    return { ...last, ex_date: exDate, payment_date: paymentDate, date: paymentDate ?? exDate, status: 'expected' };
  };
  const expected: DatedPayment[] = [];
  for (let count = 1, next = estimate(count); next.date <= horizon; count += 1, next = estimate(count))
    if (next.date >= today) expected.push(next);
  return expected;
}

/** Returns the day that is some intervals later, on a weekday. */
function shift(day: string, count: number, perYear: number): string {
  const months = (12 / perYear) * count;
  let shifted = Number.isInteger(12 / perYear)
    ? addMonths(day, months)
    : addDays(day, Math.round((365 / perYear) * count));
  while (isWeekend(shifted)) shifted = addDays(shifted, 1);
  return shifted;
}

/** Adds months to a date. A day that the month lacks becomes its last one. */
export function addMonths(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return toIsoDate(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)));
}
