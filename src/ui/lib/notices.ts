import { ApiError } from './call-api.ts';
import { SessionEnded } from './session-state.ts';
import { createStore } from './store.ts';

/** A short message that appears in the corner and is read out by screen readers. */
export interface Notice {
  id: number;
  text: string;
  tone: 'plain' | 'good' | 'bad';
  /** One thing that can be done about it, such as taking it back. */
  action?: NoticeAction | undefined;
  /** It refuses what the demo does not take, and is true for as long as the tour runs. */
  ofTour?: true | undefined;
}

interface NoticeAction {
  label: string;
  run: () => void;
}

const SHOWN_MS = 6_000;
/** A choice needs more time than a message: to be noticed, and to be reached by keyboard. */
const SHOWN_WITH_ACTION_MS = 12_000;
let lastId = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

export const notices = createStore<readonly Notice[]>([]);

/** Shows a notice for six seconds, twelve with an action; `bad` ones stay until they are closed. */
export function notify(
  text: string,
  tone: Notice['tone'] = 'plain',
  action?: NoticeAction,
  more: Pick<Notice, 'ofTour'> = {},
): void {
  const notice = { id: ++lastId, text, tone, action, ...more };
  notices.set([...notices.get().filter((other) => other.text !== text), notice].slice(-3));
  closeInTime(notice);
}

function closeInTime({ id, tone, action }: Notice): void {
  clearTimeout(timers.get(id));
  if (tone === 'bad') return;
  const close = (): void => closeNotice(id);
  timers.set(id, setTimeout(close, action ? SHOWN_WITH_ACTION_MS : SHOWN_MS));
}

/** Keeps all notices while the pointer or the focus is on one of them. */
export function holdNotices(): void {
  for (const timer of timers.values()) clearTimeout(timer);
}

/** Afterwards each has its time once more. */
export function releaseNotices(): void {
  for (const notice of notices.get()) closeInTime(notice);
}

/** Says that something was not done and why, and offers it again where that can help. It says nothing after the
 * person has left at the password. */
export function notifyFailure(text: string, error: Error, again: () => void): void {
  if (error instanceof SessionEnded) return;
  const tryAgain = { label: 'Try again', run: again };
  if (!(error instanceof ApiError)) return notify(text, 'bad', tryAgain);
  const canPass = error.status === 0 || error.status === 429 || error.status >= 500;
  const more = error.code === 'DEMO_MODE' ? { ofTour: true as const } : {};
  notify(`${text} ${error.message}`, 'bad', canPass ? tryAgain : undefined, more);
}

/** Closes what was said of the demo tour, which is over. */
export function closeTourNotices(): void {
  for (const { id, ofTour } of notices.get()) if (ofTour) closeNotice(id);
}

export function closeNotice(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  notices.set(notices.get().filter((notice) => notice.id !== id));
}
