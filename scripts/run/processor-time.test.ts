import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { processorTime, processorTimes } from './processor-time.ts';

const WORK = 0.2;

/** Computes for that long and says so, then waits for its input to end. */
const BUSY = `while (process.cpuUsage().user < ${WORK * 1e6}) for (let turn = 0; turn < 1e6; turn += 1);
  console.log('done');process.stdin.resume();`;

test('the time of a run counts what runs below it, and what has ended there', async (t) => {
  const before = processorTime();
  if (before === undefined) return t.skip('there is no /proc');
  const child = spawn(process.execPath, ['-e', BUSY], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  assert.ok(processorTime()! - before >= WORK, 'while it runs');
  child.stdin.end();
  await once(child, 'exit');
  assert.ok(processorTime()! - before >= WORK, 'after its end');
});

test('what a browser takes is told apart from what the others do', async (t) => {
  if (processorTime() === undefined) return t.skip('there is no /proc');
  const before = processorTimes()!;
  const child = spawn(process.execPath, ['-e', BUSY, 'chromium'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const spent = processorTimes()!;
  assert.ok(spent.get('browser')! - (before.get('browser') ?? 0) >= WORK);
  assert.equal(spent.get('database') ?? 0, before.get('database') ?? 0);
  child.stdin.end();
  await once(child, 'exit');
});
