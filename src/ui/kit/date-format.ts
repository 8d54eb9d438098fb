import { formatLocale } from './format-locale.ts';

/**
 * Creates a date format. The formatter is created on first use. Words are English, as all texts of the screens, and the
 * order and the clock are those of the screen's locale: `Nov 21, 2026` or `21 Nov 2026`, unless a locale is passed.
 */
export function createDateFormat(options: Intl.DateTimeFormatOptions, locale?: string): (at: Date) => string {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (at) => {
    const key = locale ?? formatLocale.get();
    let format = formats.get(key);
    if (!format) {
      format = new Intl.DateTimeFormat(locale ?? getDateLocale(key), options);
      formats.set(key, format);
    }
    return format.format(at);
  };
}

/** Returns the English locale with the same order of day and month, and the same clock of 12 or 24 hours. */
function getDateLocale(locale: string): string {
  const parts = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).formatToParts(0).map(({ type }) => type);
  const { hourCycle } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return `${parts.indexOf('month') < parts.indexOf('day') ? 'en-US' : 'en-GB'}-u-hc-${hourCycle}`;
}
