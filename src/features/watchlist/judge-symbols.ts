type Verdict = 'listing' | 'unknown' | 'unsupported' | 'over_limit' | 'not_looked_up';

/** Symbols that are looked up at a time, and in one import. */
const AT_ONCE = 8;
const LOOK_UPS = 50;
/**
 * Milliseconds after which no more look-ups begin; those under way take 8 seconds at most, so the whole stays under 15.
 */
const LAST_BATCH_BEFORE = 6_000;

/** What became of a look-up; `rate_limited`: the member has had too many for now. */
type LookedUp = { ok: true } | { ok: false; reason: 'unknown' | 'unsupported' | 'unavailable' | 'rate_limited' };

interface Standing {
  /** Symbols that are on the list, and those that the catalog knows. */
  watched: ReadonlySet<string>;
  known: ReadonlySet<string>;
  /** Rows that the list has left. */
  room: number;
}

/**
 * What each symbol is, in the list's order. A symbol that the catalog does not know is looked up only while there is
 * room for it; `undefined` where one cannot be looked up now.
 */
export async function judgeSymbols(
  lookUp: (symbol: string) => Promise<LookedUp>,
  symbols: readonly string[],
  { watched, known, room }: Standing,
  clock: () => number = () => performance.now(),
): Promise<Map<string, Verdict> | undefined> {
  const judged = new Map<string, Verdict>();
  const begun = clock();
  let left = room;
  let lookedUp = 0;
  let waiting: string[] = [];

  /** Looks up the symbols that wait; false where one cannot be looked up now. */
  const askWaiting = async (): Promise<boolean> => {
    const batch = clock() - begun < LAST_BATCH_BEFORE ? waiting.slice(0, LOOK_UPS - lookedUp) : [];
    for (const symbol of waiting) judged.set(symbol, 'not_looked_up');
    waiting = [];
    lookedUp += batch.length;
    const answers = await Promise.all(batch.map(lookUp));
    for (const [index, answer] of answers.entries()) {
      if (answer.ok) {
        judged.set(batch[index]!, 'listing');
        left -= 1;
      } else if (answer.reason === 'unavailable') return false;
      else if (answer.reason !== 'rate_limited') judged.set(batch[index]!, answer.reason);
    }
    return true;
  };

  for (const symbol of symbols) {
    // An earlier symbol has the room first, so it must be known which of them need it.
    if (waiting.length > 0 && (waiting.length >= left || waiting.length === AT_ONCE) && !(await askWaiting()))
      return undefined;
    if (watched.has(symbol)) judged.set(symbol, 'listing');
    else if (known.has(symbol)) {
      judged.set(symbol, 'listing');
      left = Math.max(0, left - 1);
    } else if (left <= 0) judged.set(symbol, 'over_limit');
    else waiting.push(symbol);
  }
  return waiting.length === 0 || (await askWaiting()) ? judged : undefined;
}
