// @module-tag slow
// @module-tag timed
import assert from 'node:assert/strict';
import { test, type TestContext } from 'vitest';
import { compareBesideAttackers } from '../support/attackers.ts';
import { startCountServer } from '../support/count-server.ts';
import { createPdf } from '../support/pdf-bytes.ts';

const ATTACKERS = 6;
const CONCURRENT_REQUESTS = 5;
const SAMPLES = 60;

const createBody = (pdf: Uint8Array): string => {
  const source = { type: 'base64', media_type: 'application/pdf', data: Buffer.from(pdf).toString('base64') };
  const content = [{ type: 'document', source }];
  return JSON.stringify({ model: 'claude-sonnet-4-5', messages: [{ role: 'user', content }] });
};

const onePage = createBody(createPdf([['Hello, world!']]));
const costly = createBody(createPdf([['x']], { operators: 'q '.repeat(5_000_000) }));

/** Starts the server. `call` counts a one-page PDF, and `attack` sends a costly one of the organization with this key. */
async function startAttack(t: TestContext, organizations: number) {
  const server = await startCountServer({ workers: 2 }, t);
  const keys = await Promise.all(
    Array.from({ length: organizations }, (_, index) => server.createKey(`Attacker ${index}`)),
  );
  const statuses: number[] = [];
  return {
    keys,
    statuses,
    call: async (): Promise<void> => {
      const response = await server.post(onePage);
      assert.equal(response.status, 200, await response.text());
    },
    attack: async (key: string, signal: AbortSignal): Promise<void> => {
      const response = await server.post(costly, { key, signal }).catch(() => undefined);
      if (response) statuses.push(response.status);
      await response?.text().catch(() => {});
    },
  };
}

test('counts a one-page PDF when six other organizations send PDFs that take ten seconds', { retry: 1 }, async (t) => {
  const { keys, statuses, call, attack } = await startAttack(t, ATTACKERS);
  const ratio = await compareBesideAttackers(
    {
      count: ATTACKERS * CONCURRENT_REQUESTS,
      attack: (index, signal) => attack(keys[index % ATTACKERS]!, signal),
      // Documents of two attackers have timed out, and their next ones are rejected.
      hasBegun: () => statuses.length >= 2 && statuses.includes(429),
    },
    { samples: SAMPLES, call },
  );
  // The goal is three, with room for a busy machine. In one queue the factor exceeds a thousand.
  assert.ok(ratio < 30, `${ratio.toFixed(1)} times`);
});

test('counts a one-page PDF when each costly one comes from a new organization', { retry: 1 }, async (t) => {
  const { keys, statuses, call, attack } = await startAttack(t, 60);
  let sent = 0;
  const ratio = await compareBesideAttackers(
    {
      count: ATTACKERS,
      async attack(_index, signal) {
        sent += 1;
        await attack(keys[sent % keys.length]!, signal);
      },
      // The first document has timed out.
      hasBegun: () => statuses.includes(400),
    },
    { samples: SAMPLES, call },
  );
  assert.ok(ratio < 30, `${ratio.toFixed(1)} times`);
});
