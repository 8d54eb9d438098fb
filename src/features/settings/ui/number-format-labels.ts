import type { NumberFormatChoice } from '../../../ui/shell/number-format/number-format.ts';

/** Labels of the choices, with a number and a date as each writes them. */
export const numberFormatLabels: Readonly<Record<NumberFormatChoice, string>> = {
  browser: 'Automatic',
  'en-US': '1,234,567.89 · Nov 29, 2026',
  'en-GB': '1,234,567.89 · 29 Nov 2026',
  'de-DE': '1.234.567,89 · 29 Nov 2026',
  'fr-FR': '1\u202f234\u202f567,89 · 29 Nov 2026',
  'de-CH': '1’234’567.89 · 29 Nov 2026',
  'en-IN': '12,34,567.89 · 29 Nov 2026',
};
