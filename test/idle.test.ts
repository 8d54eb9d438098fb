import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService } from './support/service.ts';
import { recordStatements } from './support/statement-log.ts';

test('a service that nobody asks anything asks its database a few times a second, not more', async (t) => {
  const service = await startService();
  t.after(() => service.stop());
  await sleep(1_500);
  const sent = recordStatements(t);
  await sleep(3_000);
  const counted = new Map<string, number>();
  for (const text of sent) counted.set(text.slice(0, 60), (counted.get(text.slice(0, 60)) ?? 0) + 1);
  assert.ok(sent.length <= 30, JSON.stringify([...counted]));
});
