import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { processorTime, processorTimes } from './processor-time.ts';

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

test('what a browser takes is told apart from what the others do', async (t) => {
  if (processorTime() === undefined) return t.skip('there is no /proc');
  const before = processorTimes()!;
  const busy = `while (process.cpuUsage().user < ${WORK * 1e6});console.log('done');process.stdin.resume();`;
  const child = spawn(process.execPath, ['-e', busy, 'chromium'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  const spent = processorTimes()!;
  assert.ok(spent.get('browser')! - (before.get('browser') ?? 0) >= WORK);
  assert.equal(spent.get('database') ?? 0, before.get('database') ?? 0);
  child.stdin.end();
  await once(child, 'exit');
});
