/**
 * `npm run bench -- memory [--cycles 500] [--rows 20,250]`: what the dashboard keeps while the last of so many tickers
 * is added and removed over and over: heap, DOM nodes and event listeners after a collection, and how they grow over
 * the last three fifths.
 */
import { parseArgs } from 'node:util';
import { card, search } from '../test/e2e/watchlist-card.ts';
import { addAndRemove, countMemory, type MemoryUse } from '../test/support/count-memory.ts';
import { type BenchSite, openLongList, withSite } from './browser/open-site.ts';

const { values: options } = parseArgs({
  options: { cycles: { type: 'string', default: '500' }, rows: { type: 'string', default: '20,250' } },
});
const cycles = Number(options.cycles);
const EVERY = Math.max(1, Math.round(cycles / 25));
const FROM = cycles * 0.4;

/** Steady: over all those cycles the heap grows by no more than this share of itself, nodes and listeners by none. */
const HEAP_SHARE = 0.05;

/** How much a figure grows with each cycle, by least squares. */
function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([at]) => at)), mean(points.map(([, value]) => value))];
  return (
    points.reduce((sum, [at, value]) => sum + (at - x) * (value - y), 0) /
    points.reduce((sum, [at]) => sum + (at - x) ** 2, 0)
  );
}

async function measure(site: BenchSite, rows: number): Promise<void> {
  const { page, context, spare } = await openLongList(site, rows);
  const cdp = await context.newCDPSession(page);
  await card(page).getByRole('button', { name: 'Add tickers' }).click();
  await search(page).fill(spare);
  await card(page)
    .getByRole('option', { name: new RegExp(`^${spare}`) })
    .waitFor();
  await search(page).focus();
  const taken: { cycle: number; use: MemoryUse }[] = [];
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    await addAndRemove(page, spare);
    if (cycle % EVERY !== 0) continue;
    const use = await countMemory(cdp);
    taken.push({ cycle, use });
    if (taken.length % 5 === 0 || taken.length === 1)
      console.log(
        `${rows} rows ${String(cycle).padStart(5)} cycles   ${(use.heap / 1e6).toFixed(2)} MB   ` +
          `${use.nodes} nodes   ${use.listeners} listeners`,
      );
  }
  const last = taken.filter(({ cycle }) => cycle > FROM);
  const grows = (of: keyof MemoryUse): number => slope(last.map(({ cycle, use }) => [cycle, use[of]]));
  const share = (grows('heap') * (cycles - FROM)) / last[0]!.use.heap;
  const steady = share <= HEAP_SHARE && Math.abs(grows('nodes')) < 0.1 && Math.abs(grows('listeners')) < 0.1;
  console.log(
    `${rows} rows, over the last ${cycles - FROM} cycles, each: ${grows('heap').toFixed(0)} bytes, ` +
      `${grows('nodes').toFixed(3)} nodes, ${grows('listeners').toFixed(3)} listeners`,
  );
  console.log(
    `${steady ? 'goal met' : 'GOAL MISSED'}: steady (heap ${(share * 100).toFixed(1)} % in all, ` +
      `at most ${HEAP_SHARE * 100} %; nodes and listeners do not grow)`,
  );
  if (!steady) process.exitCode = 1;
  await context.close();
}

await withSite(async (site) => {
  for (const rows of options.rows.split(',')) await measure(site, Number(rows));
});
