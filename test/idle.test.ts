// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from './support/service.ts';
import { recordStatements } from './support/statement-log.ts';

test('issues at most a few queries per second when idle', async (t) => {
  const service = await startService();
  t.onTestFinished(() => service.stop());
  const sent = recordStatements(t);
  const counted = new Map<string, number>();
  // The work after a start ends first, which takes longer on a loaded machine. The test waits for six seconds of rest.
  let quiet = 0;
  for (let windows = 0; quiet < 2 && windows < 20; windows += 1) {
    sent.length = 0;
    await sleep(3_000);
    quiet = sent.length <= 30 ? quiet + 1 : 0;
  }
  for (const text of sent) counted.set(text.slice(0, 60), (counted.get(text.slice(0, 60)) ?? 0) + 1);
  assert.equal(quiet, 2, JSON.stringify([...counted]));
});
