import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { processorTime } from './processor-time.ts';

const WORK = 0.3;

test('the time of a run counts what runs below it, and what has ended there', async (t) => {
  const before = processorTime();
  if (before === undefined) return t.skip('there is no /proc');
  const busy = `while (process.cpuUsage().user < ${WORK * 1e6});console.log('done');process.stdin.resume();`;
  const child = spawn(process.execPath, ['-e', busy], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  assert.ok(processorTime()! - before >= WORK, 'while it runs');
  child.stdin.end();
  await once(child, 'exit');
  assert.ok(processorTime()! - before >= WORK, 'after its end');
});
