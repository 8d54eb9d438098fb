import { createStore } from './store.ts';

/** A short message that appears in the corner and is read out by screen readers. */
export interface Toast {
  id: number;
  text: string;
  tone: 'plain' | 'good' | 'bad';
  /** One thing that can be done about it, such as taking it back. */
  action?: ToastAction | undefined;
  /** Messages that are true for as long as something lasts share a topic, and are closed together. */
  topic?: string | undefined;
}

interface ToastAction {
  label: string;
  run: () => void;
}

const TOAST_DURATION_MS = 6_000;
/** A choice needs more time than a message: to be noticed, and to be reached by keyboard. */
const ACTION_TOAST_DURATION_MS = 12_000;
let lastId = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();

export const toasts = createStore<readonly Toast[]>([]);

/** Shows a toast for six seconds, twelve with an action; `bad` ones stay until they are closed. */
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

/** Afterwards each has its time once more. */
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
