import { useEffect, useState } from 'react';
import { useStore } from '../../../ui/kit/use-store.ts';
import { operatorSession } from './operator-session.ts';

export interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  /** Loads again and keeps the last data until then. */
  reload(): void;
}

const NOTHING = { data: undefined, error: undefined };

/**
 * Loads data when the section appears, and again after `reload`, a new sign-in, or when `key` changes. It has no data
 * without a session.
 */
export function useLoad<T>(load: () => Promise<T>, key = ''): Loaded<T> {
  const session = useStore(operatorSession);
  const isSignedIn = session.status === 'in';
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ data: T | undefined; error: unknown }>(NOTHING);
  useEffect(() => {
    if (!isSignedIn) return;
    let isCurrent = true;
    load().then(
      (data) => {
        if (isCurrent) setState({ data, error: undefined });
      },
      (error: unknown) => {
        if (isCurrent) setState((previous) => ({ ...previous, error }));
      },
    );
    return () => {
      isCurrent = false;
    };
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the function is new at each rendering
  }, [round, key, isSignedIn, session.round]);
  return { ...(isSignedIn ? state : NOTHING), reload: () => setRound((current) => current + 1) };
}
