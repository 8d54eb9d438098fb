import { notify } from './notices.ts';
import { session } from './session.ts';

/** Signs out and says so. */
export async function signOut(): Promise<void> {
  await session.signOut();
  notify('You are signed out.');
}
