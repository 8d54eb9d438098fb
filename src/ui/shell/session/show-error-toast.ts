import { ApiError } from '../../kit/api-error.ts';
import { showToast } from '../../kit/toasts.ts';
import { SessionEndedError } from './session-state.ts';

/** Topic of toasts about rejections by the demo tour. They apply only while the tour runs. */
export const DEMO_TOUR_TOPIC = 'demo-tour';

/**
 * Shows a toast with the failed action and its cause, and a retry button if a retry can help. Shows nothing if the
 * member left at the password prompt.
 */
export function showErrorToast(text: string, error: Error, retry: () => void): void {
  if (error instanceof SessionEndedError) return;
  const tryAgain = { label: 'Try again', run: retry };
  if (!(error instanceof ApiError)) return showToast(text, 'bad', tryAgain);
  const isTemporary = error.status === 0 || error.status === 429 || error.status >= 500;
  const topic = error.code === 'DEMO_MODE' ? DEMO_TOUR_TOPIC : undefined;
  showToast(`${text} ${error.message}`, 'bad', isTemporary ? tryAgain : undefined, topic);
}
