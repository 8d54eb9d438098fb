/**
 * LRU cache of the token counts of long texts, because a conversation is sent again with every turn. A text is found by
 * a hash of a few units and then compared in full. (A map with string keys would hash every unit of a new text: 4.6 ns
 * each, a third of the counting time.) If one request exceeds the cache, its first texts stay cached. Evicting them
 * would leave nothing for the next turn.
 */
const MAX_CACHED_UNITS = 1 << 24;
/** Maximum length of a text. A longer text is not a turn of a conversation. */
const MAX_TEXT_LENGTH = 1 << 20;
const SAMPLE_COUNT = 24;

let currentRequest = 0;

/** Must be called before the texts of each request. */
export function beginRequest(): void {
  currentRequest++;
}

interface Entry {
  readonly text: string;
  readonly count: number;
  /** Number of the last request that used the text. */
  lastRequest: number;
}

export interface TextCountCache {
  get(text: string): number | undefined;
  set(text: string, count: number): void;
}

/** Returns a 32-bit hash of the length and evenly spaced units. `text` must not be empty. */
function computeSampledHash(text: string): number {
  const step = Math.max(1, Math.floor(text.length / SAMPLE_COUNT));
  let hash = text.length;
  for (let index = text.length - 1; index >= 0; index -= step)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x9e3779b1) ^ (hash >>> 15);
  return hash;
}

export function createTextCountCache(): TextCountCache {
  const entries = new Map<number, Entry>();
  let cachedUnits = 0;

  function evict(key: number): void {
    cachedUnits -= entries.get(key)?.text.length ?? 0;
    entries.delete(key);
  }

  return {
    get(text) {
      const key = computeSampledHash(text);
      const entry = entries.get(key);
      if (entry?.text !== text) return undefined;
      if (entry.lastRequest !== currentRequest) {
        entry.lastRequest = currentRequest;
        entries.delete(key);
        entries.set(key, entry);
      }
      return entry.count;
    },
    set(text, count) {
      if (text.length > MAX_TEXT_LENGTH) return;
      const key = computeSampledHash(text);
      evict(key);
      for (const [oldest, entry] of entries) {
        if (cachedUnits + text.length <= MAX_CACHED_UNITS) break;
        if (entry.lastRequest === currentRequest) return;
        evict(oldest);
      }
      entries.set(key, { text, count, lastRequest: currentRequest });
      cachedUnits += text.length;
    },
  };
}
