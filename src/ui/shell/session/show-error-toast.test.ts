import assert from 'node:assert/strict';
import { test } from 'vitest';
import { ApiError } from '../../kit/api-error.ts';
import { closeToastsByTopic, toasts } from '../../kit/toasts.ts';
import { DEMO_TOUR_TOPIC, showErrorToast } from './show-error-toast.ts';

test('closes only the toasts about the demo tour when the tour ends', () => {
  toasts.set([]);
  showErrorToast('Could not add A.', new ApiError(403, 'DEMO_MODE', 'Edits are switched off.'), () => undefined);
  showErrorToast('Could not add B.', new ApiError(500, 'INTERNAL', 'Something went wrong.'), () => undefined);
  closeToastsByTopic(DEMO_TOUR_TOPIC);
  assert.deepEqual(
    toasts.get().map(({ text }) => text),
    ['Could not add B. Something went wrong.'],
  );
});
