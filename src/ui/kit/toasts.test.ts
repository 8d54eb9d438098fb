import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { closeToast, pauseToasts, resumeToasts, showToast, toasts } from './toasts.ts';

const listToastTexts = (): string[] => toasts.get().map(({ text }) => text);

test('closes a toast after 6 s, or 12 s with an action, unless it is bad', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  showToast('plain');
  showToast('choice', 'plain', { label: 'Undo', run: () => undefined });
  showToast('bad', 'bad');
  vi.advanceTimersByTime(6_000);
  assert.deepEqual(listToastTexts(), ['choice', 'bad']);
  vi.advanceTimersByTime(6_000);
  assert.deepEqual(listToastTexts(), ['bad']);
  vi.advanceTimersByTime(60_000);
  closeToast(toasts.get()[0]!.id);
  assert.deepEqual(listToastTexts(), []);
});

test('pauses the timers while hovered and restarts them afterwards', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  showToast('choice', 'plain', { label: 'Undo', run: () => undefined });
  vi.advanceTimersByTime(11_000);
  pauseToasts();
  vi.advanceTimersByTime(60_000);
  assert.deepEqual(listToastTexts(), ['choice']);
  resumeToasts();
  vi.advanceTimersByTime(11_999);
  assert.deepEqual(listToastTexts(), ['choice']);
  vi.advanceTimersByTime(1);
  assert.deepEqual(listToastTexts(), []);
});
