import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { createStore } from '../../kit/store.ts';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

const KEY = 'tally.theme';

const stored = (): ThemeChoice => themeChoices.find((choice) => choice === readStored(KEY)) ?? 'system';

/** The person's choice of theme in this browser. */
export const themeChoice = createStore<ThemeChoice>(stored());

/** Applies and remembers a choice; `system` follows the operating system. */
export function chooseTheme(choice: ThemeChoice): void {
  themeChoice.set(choice);
  writeStored(KEY, choice === 'system' ? null : choice);
  applyTheme(choice);
}

function applyTheme(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
}

/** Follows what is chosen in another tab. */
export function followTheme(): void {
  addEventListener('storage', (event) => {
    if (event.key !== KEY) return;
    themeChoice.set(stored());
    applyTheme(stored());
  });
}
