import assert from 'node:assert/strict';
import { afterEach, beforeEach, test, type TestContext } from 'node:test';
import { recordingFor } from '../../test/support/recordings.ts';
import { printSkipped } from './print-skipped.ts';

const { RECORDINGS, RECORDINGS_REQUIRED } = process.env;
beforeEach(() => {
  process.env['RECORDINGS'] = import.meta.dirname;
  delete process.env['RECORDINGS_REQUIRED'];
});
afterEach(() => {
  for (const [name, value] of Object.entries({ RECORDINGS, RECORDINGS_REQUIRED }))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
});

/** The reasons for which a test would be skipped that asks for this recording. */
function reasonsFor(name: string): string[] {
  const reasons: string[] = [];
  assert.equal(recordingFor({ skip: (reason) => void reasons.push(reason!) }, name), undefined);
  return reasons;
}

function printed(t: TestContext, skipped: Parameters<typeof printSkipped>[0]): string[] {
  const { mock } = t.mock.method(console, 'error', () => {});
  printSkipped(skipped);
  return mock.calls.map((call) => String(call.arguments[0]));
}

test('a comparison whose recording is absent is counted and named at the end, before what else was skipped', (t) => {
  const [reason] = reasonsFor('none.jsonl');
  assert.match(reason!, /^not compared: there is no .*data\/token-counts\/none\.jsonl$/);
  const lines = printed(t, [
    { test: 'a.test.ts: speaks to Redis', reason: 'no redis-server in PATH' },
    { test: 'b.test.ts: counts as recorded', reason: reason! },
  ]);
  assert.match(lines[0]!, /^NOT COMPARED: 1 /);
  assert.deepEqual(lines.slice(1), [
    `  b.test.ts: counts as recorded (${reason})`,
    'Skipped, since this machine lacks what they need: 1',
    '  a.test.ts: speaks to Redis (no redis-server in PATH)',
  ]);
});

test('nothing is said where nothing was skipped', (t) => {
  assert.deepEqual(printed(t, []), []);
});

test('where recordings are required, an absent one throws', () => {
  process.env['RECORDINGS_REQUIRED'] = 'on';
  assert.throws(() => reasonsFor('none.jsonl'), /RECORDINGS_REQUIRED is set/);
});
