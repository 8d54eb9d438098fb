import { useEffect, useState } from 'react';

interface Loaded<T> {
  data: T | undefined;
  error: unknown;
  /** Loads again and keeps the last data until then. */
  reload(): void;
}

/** Loads data when the section appears, and again after `reload` or when `key` changes. */
export function useLoad<T>(load: () => Promise<T>, key = ''): Loaded<T> {
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ data: T | undefined; error: unknown }>({ data: undefined, error: undefined });
  useEffect(() => {
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
  }, [round, key]);
  return { ...state, reload: () => setRound((current) => current + 1) };
}
