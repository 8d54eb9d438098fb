// @module-tag slow
import assert from 'node:assert/strict';
import { test } from 'vitest';
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

test('counts a one-page PDF when six other organizations send PDFs that take ten seconds', async (t) => {
  const server = await startCountServer({ workers: 2 }, t);
  const onePage = createBody(createPdf([['Hello, world!']]));
  const costly = createBody(createPdf([['x']], { operators: 'q '.repeat(5_000_000) }));
  const countOnePage = async (): Promise<void> => {
    const response = await server.post(onePage);
    assert.equal(response.status, 200, await response.text());
  };
  const keys = await Promise.all(
    Array.from({ length: ATTACKERS }, (_, index) => server.createKey(`Attacker ${index}`)),
  );
  const statuses: number[] = [];
  const attack = async (index: number, signal: AbortSignal): Promise<void> => {
    const response = await server.post(costly, { key: keys[index % ATTACKERS]!, signal }).catch(() => undefined);
    if (response) statuses.push(response.status);
    await response?.text().catch(() => {});
  };
  // Documents of two attackers have timed out, and their next ones are rejected.
  const hasBegun = (): boolean => statuses.length >= 2 && statuses.includes(429);
  const attackers = { count: ATTACKERS * CONCURRENT_REQUESTS, attack, hasBegun };
  const ratio = await compareBesideAttackers(attackers, { samples: SAMPLES, call: countOnePage });
  // The goal is three, with room for a busy machine. In one queue the factor exceeds a thousand.
  assert.ok(ratio < 30, `${ratio.toFixed(1)} times`);
});
