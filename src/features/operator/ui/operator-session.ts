import { createStore } from '../../../ui/kit/store.ts';

/**
 * Session of this page. `ended` follows `in` when the service no longer accepts the session, so the page is kept for the
 * next sign-in. `round` grows at each sign-in, after which every section loads again.
 */
interface OperatorSession {
  status: 'unknown' | 'in' | 'ended' | 'out';
  round: number;
}

export const operatorSession = createStore<OperatorSession>({ status: 'unknown', round: 0 });

export function markSignedIn(): void {
  operatorSession.set({ status: 'in', round: operatorSession.get().round + 1 });
}

export function markSignedOut(): void {
  operatorSession.set({ ...operatorSession.get(), status: 'out' });
}

/** Notes that a call was rejected for want of a session. */
export function markRejected(): void {
  const { status, round } = operatorSession.get();
  operatorSession.set({ status: status === 'in' || status === 'ended' ? 'ended' : 'out', round });
}

/** Forgets the session when the page is left. */
export function forgetSession(): void {
  operatorSession.set({ ...operatorSession.get(), status: 'unknown' });
}
