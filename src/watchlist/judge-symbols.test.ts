import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeSymbols } from './judge-symbols.ts';

const strangers = Array.from({ length: 30 }, (_, i) => `NEW${i + 1}`);

/** A provider that takes its time for every symbol, on a clock of its own: those of one batch are asked side by side. */
function slowMarket(seconds: number) {
  let now = 1_000;
  const asked: string[] = [];
  const answer = async (symbol: string) => {
    asked.push(symbol);
    const done = now + seconds * 1_000;
    await Promise.resolve();
    now = Math.max(now, done);
    return { ok: true, ticker: { symbol, asset_type: 'stock', name: null, exchange: null, currency: null, logo: null, logo_source: null } } as const;
  };
  return { asked, clock: () => now, deps: { market: { lookUpSymbol: answer, registerSymbol: answer } } };
}

const judge = (slow: ReturnType<typeof slowMarket>, dryRun: boolean) =>
  judgeSymbols(slow, ['KO', ...strangers, 'JPM', 'AAPL'], { watched: new Set(['AAPL']), known: new Set(['KO', 'JPM', 'AAPL']), room: 100 }, dryRun, slow.clock);

test('a slow provider is asked no more once six seconds have passed; who was not looked up is told apart, and who is known is taken', async () => {
  for (const dryRun of [true, false]) {
    // Batches of eight begin after 0, 2.5 and 5 seconds; the one after 7.5 does not.
    const slow = slowMarket(2.5);
    const judged = await judge(slow, dryRun);
    assert.deepEqual(slow.asked, strangers.slice(0, 24));
    assert.deepEqual(Object.fromEntries(judged!), {
      KO: 'listing',
      ...Object.fromEntries(strangers.map((symbol, i) => [symbol, i < 24 ? 'listing' : 'not_looked_up'])),
      JPM: 'listing',
      AAPL: 'listing',
    });
  }
});

test('one that needs the whole time is waited for, and nobody after', async () => {
  const slow = slowMarket(8);
  const judged = await judge(slow, true);
  assert.deepEqual([slow.asked.length, judged?.get('NEW8'), judged?.get('NEW9'), judged?.get('JPM')], [8, 'listing', 'not_looked_up', 'listing']);
});

test('a quick provider is asked for all', async () => {
  const quick = slowMarket(0.1);
  const judged = await judge(quick, true);
  assert.equal(quick.asked.length, 30);
  assert.ok([...judged!.values()].every((verdict) => verdict === 'listing'));
});
