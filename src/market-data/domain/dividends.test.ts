import assert from 'node:assert/strict';
import { test } from 'vitest';
import { addMonths, datePayments, type DividendPayment } from './dividends.ts';

const pay = (
  exDate: string,
  amount: number,
  perYear: number | null,
  paymentDate: string | null = null,
): DividendPayment => ({
  ex_date: exDate,
  payment_date: paymentDate,
  amount,
  currency: 'USD',
  per_year: perYear,
});

test('adds months to the last day of a shorter month', () => {
  assert.deepEqual(
    [addMonths('2026-11-30', 3), addMonths('2027-01-31', 1), addMonths('2026-11-15', 14), addMonths('2028-02-29', 12)],
    ['2027-02-28', '2027-02-28', '2028-01-15', '2029-02-28'],
  );
});

test('estimates at the last regular amount, on weekdays, when nothing later is declared', () => {
  const dated = datePayments(
    [pay('2026-09-11', 0.5, 4, '2026-10-01'), pay('2026-06-11', 0.4, 4, '2026-07-01')],
    '2026-11-20',
  );
  assert.deepEqual(
    dated.map(({ date, ex_date: exDate, amount, status }) => [date, exDate, amount, status]),
    [
      ['2026-07-01', '2026-06-11', 0.4, 'paid'],
      ['2026-10-01', '2026-09-11', 0.5, 'paid'],
      ['2027-01-01', '2026-12-11', 0.5, 'expected'],
      ['2027-04-01', '2027-03-11', 0.5, 'expected'],
      ['2027-07-01', '2027-06-11', 0.5, 'expected'],
      ['2027-10-01', '2027-09-13', 0.5, 'expected'],
    ],
  );
});

test('counts a payment of today as declared, and one of yesterday as paid', () => {
  const statuses = datePayments([pay('2026-11-20', 1, null), pay('2026-11-19', 1, null)], '2026-11-20');
  assert.deepEqual(
    statuses.map(({ status }) => status),
    ['paid', 'declared'],
  );
});

test('expects no payment when the next one is late by more than half an interval', () => {
  const quarterly = [pay('2026-07-06', 1, 4)];
  assert.equal(datePayments(quarterly, '2026-11-20').filter(({ status }) => status === 'expected').length, 4);
  assert.equal(datePayments(quarterly, '2026-11-21').filter(({ status }) => status === 'expected').length, 0);
});

test('expects payments every seven days when the frequency is weekly', () => {
  const dated = datePayments([pay('2026-11-18', 0.1, 52)], '2026-11-20').filter(({ status }) => status === 'expected');
  assert.deepEqual([dated.length, dated[0]!.date, dated[1]!.date], [52, '2026-11-25', '2026-12-02']);
});
