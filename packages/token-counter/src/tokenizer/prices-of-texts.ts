/**
 * Prices of the insides of long texts, remembered by the text itself: a conversation is sent again with every turn. A
 * text is found by a few of its units and then compared whole, so an answer is never another text's. (A map keyed by
 * strings would hash every unit of a new text first: 4.6 ns each up to 16,383, a third of what counting costs.) Bounded
 * by the units kept; the longest unused go first. A request that is longer than that keeps its first texts: were they
 * to make room for its last ones, none would be there when it is sent again.
 */
const MOST_UNITS = 1 << 24;
/** A text longer than this is no turn of a conversation. */
const LONGEST = 1 << 20;
const SAMPLES = 24;

let request = 0;

/** To be told of each request before its texts. */
export function nextRequest(): void {
  request++;
}

interface Entry {
  readonly text: string;
  readonly price: number;
  /** The request that had it last. */
  request: number;
}

export interface PricesOfTexts {
  get(text: string): number | undefined;
  set(text: string, price: number): void;
}

/** Length and evenly spread units in 32 bits. `text` is not empty. */
function sampled(text: string): number {
  const step = Math.max(1, Math.floor(text.length / SAMPLES));
  let hash = text.length;
  for (let at = text.length - 1; at >= 0; at -= step)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1) ^ (hash >>> 15);
  return hash;
}

export function createPricesOfTexts(): PricesOfTexts {
  const entries = new Map<number, Entry>();
  let kept = 0;

  function drop(key: number): void {
    kept -= entries.get(key)?.text.length ?? 0;
    entries.delete(key);
  }

  return {
    get(text) {
      const key = sampled(text);
      const entry = entries.get(key);
      if (entry?.text !== text) return undefined;
      if (entry.request !== request) {
        entry.request = request;
        entries.delete(key);
        entries.set(key, entry);
      }
      return entry.price;
    },
    set(text, price) {
      if (text.length > LONGEST) return;
      const key = sampled(text);
      drop(key);
      for (const [oldest, entry] of entries) {
        if (kept + text.length <= MOST_UNITS) break;
        if (entry.request === request) return;
        drop(oldest);
      }
      entries.set(key, { text, price, request });
      kept += text.length;
    },
  };
}
