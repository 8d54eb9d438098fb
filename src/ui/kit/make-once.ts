/**
 * Makes a value when it is first asked for, and keeps it. For formatters of dates and numbers: those of the dashboard
 * took 20 ms of a busy desktop's thread together (`Profiler` of a cold load), which no script should cost before
 * anything is drawn.
 */
export function makeOnce<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
