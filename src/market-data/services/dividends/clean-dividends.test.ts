import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Dividend } from '../../domain/market-data-provider.ts';
import { cleanDividends, type DividendListing } from './clean-dividends.ts';

const TODAY = '2026-11-20';
const dollars: DividendListing = { symbol: 'T', currency: 'USD', declared_unit: null };
const pence: DividendListing = { symbol: 'T.L', currency: 'GBP', declared_unit: 'GBp' };

const createDividend = (changes: Partial<Dividend>): Dividend => ({
  symbol: 'T',
  ex_date: '2026-11-09',
  payment_date: '2026-11-30',
  declared_on: null,
  amount: 0.5,
  currency: 'USD',
  per_year: 4,
  ...changes,
});

const cases: readonly {
  title: string;
  listing?: DividendListing;
  rows: Partial<Dividend>[];
  amounts: [exDate: string, amount: number, currency: string, paymentDate: string | null][];
  faults?: string[];
}[] = [
  {
    title: 'keeps a dividend in the currency of the listing when none is declared',
    rows: [{ currency: null }],
    amounts: [['2026-11-09', 0.5, 'USD', '2026-11-30']],
  },
  {
    title: 'converts pence when the dividend declares them',
    listing: pence,
    rows: [
      { amount: 2.25, currency: 'GBX' },
      { ex_date: '2026-05-09', payment_date: null, amount: 4.1, currency: 'GBp' },
    ],
    amounts: [
      ['2026-11-09', 0.0225, 'GBP', '2026-11-30'],
      ['2026-05-09', 0.041, 'GBP', null],
    ],
  },
  {
    title: 'keeps pounds when a dividend of a listing in pence declares them',
    listing: pence,
    rows: [{ amount: 0.0225, currency: 'GBP' }],
    amounts: [['2026-11-09', 0.0225, 'GBP', '2026-11-30']],
  },
  {
    title: 'leaves out a dividend without currency when the listing is in pence',
    listing: pence,
    rows: [{ currency: null }],
    amounts: [],
    faults: ['currency'],
  },
  {
    title: 'leaves out a dividend when its currency is no code',
    rows: [{ currency: 'US dollar' }],
    amounts: [],
    faults: ['currency'],
  },
  {
    title: 'leaves out a dividend when its amount is negative, missing or absurd',
    rows: [{ amount: -0.5 }, { amount: null, ex_date: '2026-08-09' }, { amount: 1e15, ex_date: '2026-05-09' }],
    amounts: [],
    faults: ['amount'],
  },
  {
    title: 'leaves out a dividend when its amount is no number',
    rows: [{ amount: Number.NaN }, { amount: Number.POSITIVE_INFINITY, ex_date: '2026-08-09' }],
    amounts: [],
    faults: ['amount'],
  },
  {
    title: 'leaves out a dividend without currency when the listing has none either',
    listing: { symbol: 'T', currency: null, declared_unit: null },
    rows: [{ currency: null }],
    amounts: [],
    faults: ['currency'],
  },
  { title: 'ignores a dividend in shares when its amount is zero', rows: [{ amount: 0 }], amounts: [] },
  {
    title: 'leaves out a dividend when its ex-date is years ahead',
    rows: [{ ex_date: '2062-11-09' }, { ex_date: '2099-11-09', payment_date: null }],
    amounts: [],
    faults: ['ex-date'],
  },
  {
    title: 'drops the payment date when it is long before or after the ex-date',
    rows: [{ payment_date: '2026-01-30' }, { ex_date: '2026-08-09', payment_date: '2062-08-30' }],
    amounts: [
      ['2026-11-09', 0.5, 'USD', null],
      ['2026-08-09', 0.5, 'USD', null],
    ],
    faults: ['payment date'],
  },
  {
    title: 'keeps the payment date of a large special dividend when it precedes the ex-date by a day',
    rows: [{ amount: 50, per_year: null, payment_date: '2026-11-08' }],
    amounts: [['2026-11-09', 50, 'USD', '2026-11-08']],
  },
  {
    title: 'counts a repeated dividend once',
    rows: [{}, {}],
    amounts: [['2026-11-09', 0.5, 'USD', '2026-11-30']],
    faults: ['duplicate'],
  },
  {
    title: 'counts the latest declaration when an amount was corrected',
    rows: [
      { amount: 0.5, declared_on: '2026-10-01' },
      { amount: 0.45, declared_on: '2026-10-15', payment_date: '2026-12-01' },
    ],
    amounts: [['2026-11-09', 0.45, 'USD', '2026-12-01']],
    faults: ['duplicate'],
  },
  {
    title: 'keeps a special dividend beside a regular one of the same day',
    rows: [{ amount: 0.5 }, { amount: 3, per_year: null }],
    amounts: [
      ['2026-11-09', 0.5, 'USD', '2026-11-30'],
      ['2026-11-09', 3, 'USD', '2026-11-30'],
    ],
  },
];

for (const { title, listing = dollars, rows, amounts, faults = [] } of cases)
  test(title, () => {
    const cleaned = cleanDividends(rows.map(createDividend), listing, TODAY);
    assert.deepEqual(
      cleaned.payments.map((payment) => [payment.ex_date, payment.amount, payment.currency, payment.payment_date]),
      amounts,
    );
    assert.deepEqual(cleaned.faults, faults);
  });

test('keeps the newest 60 payments when a provider sends 10,000 rows, many of them twice', () => {
  const day = (index: number): string =>
    new Date(Date.parse('2026-11-20') - Math.floor(index / 2) * 86_400_000).toISOString().slice(0, 10);
  const rows = Array.from({ length: 10_000 }, (_, index) =>
    createDividend({ ex_date: day(index), payment_date: null }),
  );
  const { payments, faults } = cleanDividends(rows, dollars, TODAY);
  assert.deepEqual([payments.length, payments[0]!.ex_date, payments.at(-1)!.ex_date], [60, '2026-11-20', '2026-09-22']);
  assert.deepEqual(faults, ['duplicate']);
});
