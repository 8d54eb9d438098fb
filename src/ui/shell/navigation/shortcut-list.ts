import { createStore } from '../../kit/store.ts';

/** Keyboard shortcuts of a part of the page. Each has its keys and what they do. */
export interface ShortcutGroup {
  title: string;
  shortcuts: readonly (readonly [keys: string, description: string])[];
}

/** Whether the list of shortcuts is open. */
export const isShortcutListOpen = createStore(false);
