import { createStore } from './store.ts';

/** Short message in the corner that screen readers announce. */
export interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'good' | 'bad';
  /** Action of the toast, such as undo. */
  action?: ToastAction | undefined;
  /** Toasts about one temporary state share a topic and are closed together. */
  topic?: string | undefined;
}

interface ToastAction {
  label: string;
  run: () => void;
}

const TOAST_DURATION_MS = 6_000;
/**
 * Duration in ms of a toast with an action. The member needs more time to notice the action and to reach it by
 * keyboard.
 */
const ACTION_TOAST_DURATION_MS = 12_000;
let lastId = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

export const toasts = createStore<readonly Toast[]>([]);

/** Shows a toast for six seconds, or twelve with an action. `bad` toasts remain until they are closed. */
export function showToast(text: string, tone: Toast['tone'] = 'plain', action?: ToastAction, topic?: string): void {
  const toast = { id: ++lastId, text, tone, action, topic };
  toasts.set([...toasts.get().filter((other) => other.text !== text), toast].slice(-3));
  scheduleClose(toast);
}

function scheduleClose({ id, tone, action }: Toast): void {
  clearTimeout(timers.get(id));
  if (tone === 'bad') return;
  const close = (): void => closeToast(id);
  timers.set(id, setTimeout(close, action ? ACTION_TOAST_DURATION_MS : TOAST_DURATION_MS));
}

/** Keeps all toasts while the pointer or the focus is on one of them. */
export function pauseToasts(): void {
  for (const timer of timers.values()) clearTimeout(timer);
}

/** Restarts the timer of each toast. */
export function resumeToasts(): void {
  for (const toast of toasts.get()) scheduleClose(toast);
}

/** Closes every toast of a topic. */
export function closeToastsByTopic(topic: string): void {
  for (const toast of toasts.get()) if (toast.topic === topic) closeToast(toast.id);
}

export function closeToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}
