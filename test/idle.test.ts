import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from './support/service.ts';
import { recordStatements } from './support/statement-log.ts';

test('a service that nobody asks anything asks its database a few times a second, not more', async (t) => {
  const service = await startService();
  t.after(() => service.stop());
  const sent = recordStatements(t);
  const counted = new Map<string, number>();
  // What a start leaves to do comes first, on a loaded machine for longer: three seconds of rest must come, and soon.
  for (let windows = 0; windows === 0 || (sent.length > 30 && windows < 20); windows += 1) {
    sent.length = 0;
    await sleep(3_000);
  }
  for (const text of sent) counted.set(text.slice(0, 60), (counted.get(text.slice(0, 60)) ?? 0) + 1);
  assert.ok(sent.length <= 30, JSON.stringify([...counted]));
});
