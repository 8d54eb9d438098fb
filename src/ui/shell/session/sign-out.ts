import { showToast } from '../../kit/toasts.ts';
import { session } from './session.ts';

/** Signs out and says so. */
export async function signOut(): Promise<void> {
  await session.signOut();
  showToast('You are signed out.');
}
