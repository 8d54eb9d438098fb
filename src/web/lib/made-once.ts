/**
 * Makes a value when it is first asked for, and keeps it. For formatters of dates and numbers: those of the dashboard
 * took 20 ms of a busy desktop's thread together (`Profiler` of a cold load), which no script should cost before
 * anything is drawn.
 */
export function madeOnce<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Writes dates in one way; the formatter behind it is made when the first one is written. */
export function dateFormat(options: Intl.DateTimeFormatOptions, locale = 'en-US'): (at: Date) => string {
  const formatter = madeOnce(() => new Intl.DateTimeFormat(locale, options));
  return (at) => formatter().format(at);
}
