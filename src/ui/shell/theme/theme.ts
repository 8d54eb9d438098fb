import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { createStore } from '../../kit/store.ts';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

const THEME_KEY = 'tally.theme';

const readThemeChoice = (): ThemeChoice => themeChoices.find((choice) => choice === readStored(THEME_KEY)) ?? 'system';

/** Theme choice of this browser. */
export const themeChoice = createStore<ThemeChoice>(readThemeChoice());

/** Applies and stores a choice. `system` follows the operating system. */
export function chooseTheme(choice: ThemeChoice): void {
  themeChoice.set(choice);
  writeStored(THEME_KEY, choice === 'system' ? null : choice);
  applyTheme(choice);
}

function applyTheme(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = choice;
}

/** Follows changes in other tabs. */
export function followTheme(): void {
  addEventListener('storage', (event) => {
    if (event.key !== THEME_KEY) return;
    themeChoice.set(readThemeChoice());
    applyTheme(readThemeChoice());
  });
}
