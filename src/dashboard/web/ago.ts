import { formatDay } from '../../web/lib/formats.ts';

const MINUTE = 60_000;

/** How long ago in the fewest letters: `now`, `12 min`, `5 h`, `3 d`, then the day. */
export function ago(iso: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(iso)) / MINUTE);
  if (minutes < 1) return 'now';
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`;
  return minutes < 7 * 24 * 60 ? `${Math.floor(minutes / (24 * 60))} d` : formatDay(iso);
}
