/**
 * Returns a function that creates a value on its first call and then returns it. Used for formatters of dates and
 * numbers, so that no script creates them before the first paint. The dashboard's formatters take 20 ms of a busy
 * desktop's main thread.
 */
export function makeOnce<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
