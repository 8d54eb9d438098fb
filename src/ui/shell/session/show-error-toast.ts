import { ApiError } from '../../kit/api-error.ts';
import { showToast } from '../../kit/toasts.ts';
import { SessionEndedError } from './session-state.ts';

/** Topic of the toasts about what the demo tour refuses, which are true for as long as it runs. */
export const DEMO_TOUR_TOPIC = 'demo-tour';

/**
 * Says that something was not done and why, and offers it again where that can help. Shows nothing after the member has
 * left at the password.
 */
export function showErrorToast(text: string, error: Error, retry: () => void): void {
  if (error instanceof SessionEndedError) return;
  const tryAgain = { label: 'Try again', run: retry };
  if (!(error instanceof ApiError)) return showToast(text, 'bad', tryAgain);
  const isTemporary = error.status === 0 || error.status === 429 || error.status >= 500;
  const topic = error.code === 'DEMO_MODE' ? DEMO_TOUR_TOPIC : undefined;
  showToast(`${text} ${error.message}`, 'bad', isTemporary ? tryAgain : undefined, topic);
}
