import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { recordingFor } from './support/recordings.ts';

const withoutRecordings = (required: string | undefined): void => {
  vi.stubEnv('RECORDINGS', import.meta.dirname);
  vi.stubEnv('RECORDINGS_REQUIRED', required);
};

test('skips a comparison and names the file when its recording is absent', () => {
  withoutRecordings(undefined);
  const skip = vi.fn<(reason?: string) => never>();
  assert.equal(recordingFor({ skip } as never, 'none.jsonl'), undefined);
  assert.match(skip.mock.calls[0]![0]!, /^not compared: there is no .*data\/token-counts\/none\.jsonl$/);
});

test('fails a comparison when its recording is absent and recordings are required', (t) => {
  withoutRecordings('on');
  assert.throws(() => recordingFor(t, 'none.jsonl'), /RECORDINGS_REQUIRED is set/);
});
