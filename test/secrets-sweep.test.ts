// @module-tag slow
import assert from 'node:assert/strict';
import { beforeAll, test } from 'vitest';
import { runsLongTests } from './support/long-tests.ts';
import { findTraces } from './support/find-traces.ts';
import { type Sweep, sweepSecrets } from './support/secrets-sweep.ts';

let sweep: Sweep;
beforeAll(async () => {
  sweep = await sweepSecrets(runsLongTests ? 64 : 8);
});

test('leaves no secret of connections in logs, rows, jobs, metrics or responses', () => {
  for (const [location, text] of Object.entries(sweep.places))
    assert.deepEqual(findTraces(text, sweep.secrets), [], `${location} holds a secret`);
});

test('covers connections, failures of both sides, jobs and removals', () => {
  const { outcomes, places: textByLocation, secrets } = sweep;
  for (const outcome of [
    'POST /start 201',
    'POST /start 503',
    'POST /finish connected',
    'POST /finish 500',
    'DELETE /:id 204',
  ])
    assert.ok(outcomes[outcome]! > 0, `${outcome} is not among ${JSON.stringify(outcomes)}`);
  for (const kind of ['access-sandbox-', 'public-sandbox-', 'link-sandbox-'])
    assert.ok(
      secrets.some((secret) => secret.startsWith(kind)),
      kind,
    );
  for (const [location, sign] of [
    ['log', /INTERNAL_SERVER_ERROR/],
    ['log', /violates check constraint/],
    ['database', /^public\.connection_secrets /m],
    ['database', /^public\.brokerage_users /m],
    ['jobs', /removal_id/],
    ['metrics', /^tally_connections \d/m],
  ] as const)
    assert.ok(sign.test(textByLocation[location]), `${location} lacks ${sign}`);
});
