import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { ExplainedResponse } from './explanation-requests.ts';
import { selectExplanation } from './select-explanation.ts';

const createTerm = (label: string, amount: number) => ({
  label,
  amount,
  currency: 'USD',
  quantity: null,
  price: null,
  price_currency: null,
  price_unit: null,
  price_at: null,
  source: null,
  rate: null,
  rate_date: null,
});

interface DayChange {
  market: number;
  flows: number;
  marketTerms: readonly ReturnType<typeof createTerm>[];
}

/** Creates the response of a net worth that has changed in one day. */
function createResponse({ market, flows, marketTerms }: DayChange): ExplainedResponse {
  const change = {
    period: '1d',
    from: '2026-11-27',
    amount: market + flows,
    gain: market,
    percent: 1,
    market,
    flows,
    exchange_rates: 0,
    explain_market: { terms: marketTerms, excluded: [] },
    explain_flows: { terms: [createTerm('Added on Nov 30, 2026', flows)], excluded: [] },
    explain_exchange_rates: { terms: [], excluded: [] },
  };
  return { from: 'net-worth', base: { currency: 'USD', changes: [change] }, currencies: [] } as unknown as Extract<
    ExplainedResponse,
    { from: 'net-worth' }
  >;
}

const gain = { of: 'net-worth-change', part: 'gain', period: '1d', name: 'today' } as const;

test('leaves out a term when it is zero in the decimals of the total', () => {
  const marketTerms = [createTerm('Day change of holdings', 52.64), createTerm('Other price changes', 0.00000998)];
  const { terms, total } = selectExplanation(createResponse({ market: 52.64000998, flows: 0, marketTerms }), gain);
  assert.deepEqual(
    terms.map(({ label, amount }) => [label, amount]),
    [['Day change of holdings', 52.64]],
  );
  assert.equal(total?.amount, 52.64);
});

test('keeps the terms of a total that is below the smallest unit itself', () => {
  const marketTerms = [createTerm('Day change of holdings', 0.0003), createTerm('Other price changes', 0.0001)];
  const { terms } = selectExplanation(createResponse({ market: 0.0004, flows: 0, marketTerms }), gain);
  assert.deepEqual(
    terms.map(({ amount }) => amount),
    [0.0003, 0.0001],
  );
});

test('lists what is beyond the gain only when the flows are not zero in its decimals', () => {
  const marketTerms = [createTerm('Day change of holdings', 10)];
  const listBeyond = (flows: number) =>
    selectExplanation(createResponse({ market: 10, flows, marketTerms }), gain).beyondGain.map(({ amount }) => amount);
  assert.deepEqual(listBeyond(0), []);
  assert.deepEqual(listBeyond(0.00001), []);
  assert.deepEqual(listBeyond(5), [5, 15]);
});
