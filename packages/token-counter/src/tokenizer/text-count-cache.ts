/**
 * Caches the token counts of the interiors of long texts, least recently used first to go: a conversation is sent again
 * with every turn. A text is found by a hash of a few units and then compared whole. (A map keyed by strings would hash
 * every unit of a new text: 4.6 ns each, a third of what counting costs.) A request larger than the cache keeps its first
 * texts: if they made room for its last ones, none would be found when it is sent again.
 */
const MAX_UNITS = 1 << 24;
/** A text longer than this is no turn of a conversation. */
const MAX_TEXT = 1 << 20;
const SAMPLES = 24;

let request = 0;

/** Call it before the texts of each request. */
export function beginRequest(): void {
  request++;
}

interface Entry {
  readonly text: string;
  readonly count: number;
  /** The last request that used it. */
  request: number;
}

export interface TextCountCache {
  get(text: string): number | undefined;
  set(text: string, count: number): void;
}

/** Length and evenly spread units in 32 bits. `text` is not empty. */
function sampledHash(text: string): number {
  const step = Math.max(1, Math.floor(text.length / SAMPLES));
  let hash = text.length;
  for (let at = text.length - 1; at >= 0; at -= step)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1) ^ (hash >>> 15);
  return hash;
}

export function createTextCountCache(): TextCountCache {
  const entries = new Map<number, Entry>();
  let units = 0;

  function evict(key: number): void {
    units -= entries.get(key)?.text.length ?? 0;
    entries.delete(key);
  }

  return {
    get(text) {
      const key = sampledHash(text);
      const entry = entries.get(key);
      if (entry?.text !== text) return undefined;
      if (entry.request !== request) {
        entry.request = request;
        entries.delete(key);
        entries.set(key, entry);
      }
      return entry.count;
    },
    set(text, count) {
      if (text.length > MAX_TEXT) return;
      const key = sampledHash(text);
      evict(key);
      for (const [oldest, entry] of entries) {
        if (units + text.length <= MAX_UNITS) break;
        if (entry.request === request) return;
        evict(oldest);
      }
      entries.set(key, { text, count, request });
      units += text.length;
    },
  };
}
