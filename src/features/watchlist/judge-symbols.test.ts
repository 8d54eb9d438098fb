import assert from 'node:assert/strict';
import { test } from 'vitest';
import { judgeSymbols } from './judge-symbols.ts';

const unknowns = Array.from({ length: 30 }, (_, i) => `NEW${i + 1}`);

/**
 * A provider that takes its time for every symbol, on a clock of its own: those of one batch are asked side by side.
 */
function slowMarket(seconds: number) {
  let now = 1_000;
  const asked: string[] = [];
  const answer = async (symbol: string) => {
    asked.push(symbol);
    const done = now + seconds * 1_000;
    await Promise.resolve();
    now = Math.max(now, done);
    return { ok: true } as const;
  };
  return { asked, clock: () => now, lookUp: answer };
}

const judge = (slow: Pick<ReturnType<typeof slowMarket>, 'clock'> & { lookUp: Parameters<typeof judgeSymbols>[0] }) =>
  judgeSymbols(
    slow.lookUp,
    ['KO', ...unknowns, 'JPM', 'AAPL'],
    { watched: new Set(['AAPL']), known: new Set(['KO', 'JPM', 'AAPL']), room: 100 },
    slow.clock,
  );

test('a slow provider is asked for six seconds; what was not looked up is told apart, the known taken', async () => {
  // Batches of eight begin after 0, 2.5 and 5 seconds; the one after 7.5 does not.
  const slow = slowMarket(2.5);
  const judged = await judge(slow);
  assert.deepEqual(slow.asked, unknowns.slice(0, 24));
  assert.deepEqual(Object.fromEntries(judged!), {
    KO: 'listing',
    ...Object.fromEntries(unknowns.map((symbol, i) => [symbol, i < 24 ? 'listing' : 'not_looked_up'])),
    JPM: 'listing',
    AAPL: 'listing',
  });
});

test('one that needs the whole time is waited for, and none after', async () => {
  const slow = slowMarket(8);
  const judged = await judge(slow);
  assert.deepEqual(
    [slow.asked.length, judged?.get('NEW8'), judged?.get('NEW9'), judged?.get('JPM')],
    [8, 'listing', 'not_looked_up', 'listing'],
  );
});

test('a quick provider is asked for all', async () => {
  const quick = slowMarket(0.1);
  const judged = await judge(quick);
  assert.equal(quick.asked.length, 30);
  assert.ok([...judged!.values()].every((verdict) => verdict === 'listing'));
});

test('whom the member may not have looked up for now is left, and who is known is taken', async () => {
  const quick = slowMarket(0.1);
  let left = 10;
  const judged = await judge({
    ...quick,
    lookUp: async (symbol) => (left-- > 0 ? quick.lookUp(symbol) : { ok: false, reason: 'rate_limited' }),
  });
  assert.deepEqual(quick.asked, unknowns.slice(0, 10));
  assert.deepEqual(
    unknowns.map((symbol) => judged!.get(symbol)),
    unknowns.map((_, i) => (i < 10 ? 'listing' : 'not_looked_up')),
  );
  assert.deepEqual([judged!.get('JPM'), judged!.get('AAPL')], ['listing', 'listing']);
});
