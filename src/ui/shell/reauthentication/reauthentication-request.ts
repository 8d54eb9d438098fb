import { createStore } from '../../kit/store.ts';

/** A call that waits until the member has entered the password again. */
interface ReauthenticationRequest {
  answer: Promise<boolean>;
  /** Settles the call: true after the password was accepted, false if the member cancelled. */
  settle: (isConfirmed: boolean) => void;
}

/** The waiting call, for which the app shows a dialog, or null. */
export const reauthenticationRequest = createStore<ReauthenticationRequest | null>(null);

/** Asks the member for the password. Returns whether it was accepted. Concurrent calls share one dialog. */
export function requestReauthentication(): Promise<boolean> {
  const waiting = reauthenticationRequest.get();
  if (waiting) return waiting.answer;
  const { promise: answer, resolve } = Promise.withResolvers<boolean>();
  const settle = (isConfirmed: boolean): void => {
    reauthenticationRequest.set(null);
    resolve(isConfirmed);
  };
  reauthenticationRequest.set({ answer, settle });
  return answer;
}
