type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges a change into the metadata: objects key by key at every depth, `null` removes a key, all else replaces. */
export function mergeMetadata(metadata: JsonObject, change: JsonObject): JsonObject {
  const merged = new Map(Object.entries(metadata));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) ? mergeMetadata(toObject(merged.get(key)), value) : value);
  }
  // From entries, so that a key named __proto__ is a key like any other.
  return Object.fromEntries(merged);
}

const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
