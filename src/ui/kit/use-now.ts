import { useEffect, useState } from 'react';

/** Interval in ms at which ages such as "5 min ago" are rendered again. */
const INTERVAL_MS = 20_000;

/** Returns the current time in ms and renders the component again as it passes. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const update = (): void => setNow(Date.now());
    // A hidden tab pauses its timers, so the age is also updated when the tab is shown again.
    document.addEventListener('visibilitychange', update);
    const timer = setInterval(update, INTERVAL_MS);
    return () => {
      document.removeEventListener('visibilitychange', update);
      clearInterval(timer);
    };
  }, []);
  return now;
}
