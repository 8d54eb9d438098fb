/**
 * Prices of the insides of long texts, remembered by the text itself: a conversation is sent again with every turn. A
 * text is found by a few of its units and then compared whole, so an answer is never another text's. (A map keyed by
 * strings would hash every unit of a new text first: 4.6 ns each up to 16,383, a third of what counting costs.) Bounded
 * by the units kept, which are as many as two of the longest conversations have; the oldest go first.
 */
const MOST_UNITS = 1 << 24;
/** A text longer than this is no turn of a conversation. */
const LONGEST = 1 << 20;
const SAMPLES = 24;

export interface PricesOfTexts {
  /** @param part which part of the text is priced, where several threads share it; 0 is the whole */
  get(text: string, part?: number): number | undefined;
  set(text: string, price: number, part?: number): void;
}

/** Length and evenly spread units in 32 bits. `text` is not empty. */
function sampled(text: string, part: number): number {
  const step = Math.max(1, Math.floor(text.length / SAMPLES));
  let hash = text.length ^ part;
  for (let at = text.length - 1; at >= 0; at -= step)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1) ^ (hash >>> 15);
  return hash;
}

export function createPricesOfTexts(): PricesOfTexts {
  const entries = new Map<number, { readonly text: string; readonly part: number; readonly price: number }>();
  let kept = 0;

  function drop(key: number): void {
    kept -= entries.get(key)?.text.length ?? 0;
    entries.delete(key);
  }

  return {
    get(text, part = 0) {
      const entry = entries.get(sampled(text, part));
      return entry !== undefined && entry.part === part && entry.text === text ? entry.price : undefined;
    },
    set(text, price, part = 0) {
      if (text.length > LONGEST) return;
      const key = sampled(text, part);
      drop(key);
      entries.set(key, { text, part, price });
      kept += text.length;
      for (const oldest of entries.keys()) {
        if (kept <= MOST_UNITS) break;
        drop(oldest);
      }
    },
  };
}
