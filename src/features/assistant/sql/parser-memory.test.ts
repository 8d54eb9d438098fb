import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'vitest';

/** Statements of a process. V8 optimizes WebAssembly after about three of them. */
const STATEMENTS = 30;
const MAX_GROWTH_MB = 100;

/** Parses statements in a process of its own and prints by how many MB its memory grew at most. */
const SOURCE = `
  import { setTimeout as sleep } from 'node:timers/promises';
  const { parseSelect } = await import(${JSON.stringify(new URL('parse.ts', import.meta.url).href)});
  const measureMb = () => process.memoryUsage.rss() / 1024 / 1024;
  const before = measureMb();
  let highest = before;
  for (let done = 0; done < ${STATEMENTS}; done += 1) {
    await parseSelect('select symbol, sum(quantity) from holdings where quantity > ' + done + ' group by symbol');
    // Other threads optimize, so this one measures meanwhile.
    for (let sample = 0; sample < 10; sample += 1) {
      await sleep(5);
      highest = Math.max(highest, measureMb());
    }
  }
  console.log(highest - before);
`;

test('parses statements in little memory', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '--eval', SOURCE], { encoding: 'utf8' });
  const growthMb = Number(output);
  assert.ok(growthMb > 0 && growthMb < MAX_GROWTH_MB, `${output.trim()} MB`);
});
