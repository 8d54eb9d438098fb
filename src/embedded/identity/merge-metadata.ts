type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Merges a change into the metadata. Objects merge by key at every depth, `null` removes a key, and other values
 * replace.
 */
export function mergeMetadata(metadata: JsonObject, change: JsonObject): JsonObject {
  const merged = new Map(Object.entries(metadata));
  for (const [key, value] of Object.entries(change)) {
    if (value === null) merged.delete(key);
    else merged.set(key, isObject(value) ? mergeMetadata(toObject(merged.get(key)), value) : value);
  }
  // Built from entries, so that a key named __proto__ is an ordinary key.
  return Object.fromEntries(merged);
}

const toObject = (value: unknown): JsonObject => (isObject(value) ? value : {});
