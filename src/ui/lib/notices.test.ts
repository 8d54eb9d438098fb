import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { ApiError } from './call-api.ts';
import {
  closeNotice,
  closeTourNotices,
  holdNotices,
  notices,
  notify,
  notifyFailure,
  releaseNotices,
} from './notices.ts';

const shown = (): string[] => notices.get().map(({ text }) => text);

test('a notice goes after six seconds, one with a choice after twelve, a bad one when it is closed', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  notify('plain');
  notify('choice', 'plain', { label: 'Undo', run: () => undefined });
  notify('bad', 'bad');
  vi.advanceTimersByTime(6_000);
  assert.deepEqual(shown(), ['choice', 'bad']);
  vi.advanceTimersByTime(6_000);
  assert.deepEqual(shown(), ['bad']);
  vi.advanceTimersByTime(60_000);
  closeNotice(notices.get()[0]!.id);
  assert.deepEqual(shown(), []);
});

test('none goes while it is looked at; afterwards it has its time once more', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  notify('choice', 'plain', { label: 'Undo', run: () => undefined });
  vi.advanceTimersByTime(11_000);
  holdNotices();
  vi.advanceTimersByTime(60_000);
  assert.deepEqual(shown(), ['choice']);
  releaseNotices();
  vi.advanceTimersByTime(11_999);
  assert.deepEqual(shown(), ['choice']);
  vi.advanceTimersByTime(1);
  assert.deepEqual(shown(), []);
});

test('what the demo tour refused goes with it, and nothing else does', () => {
  notices.set([]);
  notifyFailure('A was not added.', new ApiError(403, 'DEMO_MODE', 'Edits are switched off.'), () => undefined);
  notifyFailure('B was not added.', new ApiError(500, 'INTERNAL', 'Something went wrong.'), () => undefined);
  closeTourNotices();
  assert.deepEqual(shown(), ['B was not added. Something went wrong.']);
});
