/**
 * Returns a function that computes a value once per object. Used for figures of read-only data, which every rendering
 * would otherwise compute again.
 */
export function cacheByObject<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const values = new WeakMap<Key, Value>();
  return (key) => {
    if (!values.has(key)) values.set(key, compute(key));
    return values.get(key)!;
  };
}
