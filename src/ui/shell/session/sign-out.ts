import { showToast } from '../../kit/toasts.ts';
import { session } from './session.ts';

/** Signs out and shows a toast. */
export async function signOut(): Promise<void> {
  await session.signOut();
  showToast('You are signed out.');
}
