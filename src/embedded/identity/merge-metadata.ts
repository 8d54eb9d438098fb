type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges a change into the metadata: objects key by key at every depth, `null` removes a key, all else replaces. */
export function mergeMetadata(metadata: Json, change: Json): Json {
  const merged = new Map(Object.entries(metadata));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) ? mergeMetadata(asObject(merged.get(key)), value) : value);
  }
  // From entries, so that a key named __proto__ is a key like any other.
  return Object.fromEntries(merged);
}

const asObject = (value: unknown): Json => (isObject(value) ? value : {});
