import assert from 'node:assert/strict';
import { test } from 'vitest';
import { classifySymbols } from './classify-symbols.ts';

const unknowns = Array.from({ length: 30 }, (_, i) => `NEW${i + 1}`);

/**
 * Creates a provider with a fixed delay per symbol and its own clock. Symbols of one batch are requested concurrently.
 */
function createSlowMarket(seconds: number) {
  let now = 1_000;
  const requestedSymbols: string[] = [];
  const result = async (symbol: string) => {
    requestedSymbols.push(symbol);
    const done = now + seconds * 1_000;
    await Promise.resolve();
    now = Math.max(now, done);
    return { ok: true } as const;
  };
  return { requestedSymbols, clock: () => now, lookUp: result };
}

const classify = (
  slowMarket: Pick<ReturnType<typeof createSlowMarket>, 'clock'> & { lookUp: Parameters<typeof classifySymbols>[0] },
) =>
  classifySymbols(
    slowMarket.lookUp,
    ['KO', ...unknowns, 'JPM', 'AAPL'],
    { watched: new Set(['AAPL']), inCatalog: new Set(['KO', 'JPM', 'AAPL']), capacity: 100 },
    slowMarket.clock,
  );

test('stops look-ups after six seconds and reports symbols that were not looked up', async () => {
  // Batches of eight start after 0, 2.5 and 5 seconds. The batch after 7.5 seconds does not start.
  const slowMarket = createSlowMarket(2.5);
  const classBySymbol = await classify(slowMarket);
  assert.deepEqual(slowMarket.requestedSymbols, unknowns.slice(0, 24));
  assert.deepEqual(Object.fromEntries(classBySymbol!), {
    KO: 'listing',
    ...Object.fromEntries(unknowns.map((symbol, i) => [symbol, i < 24 ? 'listing' : 'not_looked_up'])),
    JPM: 'listing',
    AAPL: 'listing',
  });
});

test('waits for a look-up that takes the full timeout and starts none after it', async () => {
  const slowMarket = createSlowMarket(8);
  const classBySymbol = await classify(slowMarket);
  assert.deepEqual(
    [
      slowMarket.requestedSymbols.length,
      classBySymbol?.get('NEW8'),
      classBySymbol?.get('NEW9'),
      classBySymbol?.get('JPM'),
    ],
    [8, 'listing', 'not_looked_up', 'listing'],
  );
});

test('looks up all symbols when the provider is fast', async () => {
  const fastMarket = createSlowMarket(0.1);
  const classBySymbol = await classify(fastMarket);
  assert.equal(fastMarket.requestedSymbols.length, 30);
  assert.ok([...classBySymbol!.values()].every((verdict) => verdict === 'listing'));
});

test('skips unknown symbols and accepts catalog symbols at the look-up limit', async () => {
  const fastMarket = createSlowMarket(0.1);
  let left = 10;
  const classBySymbol = await classify({
    ...fastMarket,
    lookUp: async (symbol) => (left-- > 0 ? fastMarket.lookUp(symbol) : { ok: false, reason: 'rate_limited' }),
  });
  assert.deepEqual(fastMarket.requestedSymbols, unknowns.slice(0, 10));
  assert.deepEqual(
    unknowns.map((symbol) => classBySymbol!.get(symbol)),
    unknowns.map((_, i) => (i < 10 ? 'listing' : 'not_looked_up')),
  );
  assert.deepEqual([classBySymbol!.get('JPM'), classBySymbol!.get('AAPL')], ['listing', 'listing']);
});
