import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tracesIn } from '../support/find-traces.ts';
import { sweepSecrets } from '../support/secrets-sweep.ts';

test('no secret of a connection is written anywhere in 64 rounds of failures', async () => {
  const { places, secrets } = await sweepSecrets(64);
  assert.ok(secrets.length > 0);
  for (const [place, text] of Object.entries(places)) assert.deepEqual(tracesIn(text, secrets), [], place);
});
