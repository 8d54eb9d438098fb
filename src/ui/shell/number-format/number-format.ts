import { readStored, writeStored } from '../../kit/browser-storage.ts';
import { formatLocale } from '../../kit/format-locale.ts';
import { createStore } from '../../kit/store.ts';

/** `browser` follows the browser's language. The others are BCP 47 tags, one for each way to write numbers and dates. */
export const numberFormatChoices = ['browser', 'en-US', 'en-GB', 'de-DE', 'fr-FR', 'de-CH', 'en-IN'] as const;
export type NumberFormatChoice = (typeof numberFormatChoices)[number];

const NUMBER_FORMAT_KEY = 'tally.number-format';

const readChoice = (): NumberFormatChoice =>
  numberFormatChoices.find((choice) => choice === readStored(NUMBER_FORMAT_KEY)) ?? 'browser';

/** How this browser shows numbers and dates. */
export const numberFormatChoice = createStore<NumberFormatChoice>('browser');

/** Applies and stores a choice. */
export function chooseNumberFormat(choice: NumberFormatChoice): void {
  writeStored(NUMBER_FORMAT_KEY, choice === 'browser' ? null : choice);
  apply(choice);
}

/** Applies the stored choice before the first screen, and follows changes in other tabs. */
export function followNumberFormat(): void {
  apply(readChoice());
  addEventListener('storage', (event) => {
    if (event.key === NUMBER_FORMAT_KEY) apply(readChoice());
  });
}

function apply(choice: NumberFormatChoice): void {
  numberFormatChoice.set(choice);
  formatLocale.set(choice === 'browser' ? getBrowserLocale() : choice);
}

/** Returns the browser's language, or English if its tag is invalid. */
function getBrowserLocale(): string {
  try {
    return Intl.getCanonicalLocales(navigator.language)[0]!;
  } catch {
    return 'en-US';
  }
}
