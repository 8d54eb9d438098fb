import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { makeOnce } from '../../../../ui/kit/make-once.ts';
import { withWebLock } from '../../../../ui/kit/web-lock.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import type { Security } from './optimistic-updates.ts';
import { OFFLINE_ADDS_KEY } from './item-labels.ts';

interface StoredAdds {
  /** Member who made the adds. */
  member: string;
  adds: readonly Security[];
}

/**
 * Queue of adds that were made offline. Adds are stored in the browser until the service responds, and so survive a
 * page close. Each add belongs to one page, which sends it.
 */
class OfflineAddQueue {
  /** Symbols whose adds this page sends. */
  readonly #pageSymbols = new Set<string>();

  /** Stores an add that this page will send. */
  enqueue(security: Security): void {
    this.#discardAtSignOut();
    this.#pageSymbols.add(security.symbol);
    writeStoredAdds([...listWaitingAdds().filter(({ symbol }) => symbol !== security.symbol), security]);
  }

  /** Returns whether this page must send the add and has no response yet. */
  has(symbol: string): boolean {
    return this.#pageSymbols.has(symbol);
  }

  /** Claims the queued adds that no other page will send. */
  claim(): readonly Security[] {
    this.#discardAtSignOut();
    const unclaimed = listWaitingAdds().filter(({ symbol }) => !this.#pageSymbols.has(symbol));
    for (const { symbol } of unclaimed) this.#pageSymbols.add(symbol);
    return unclaimed;
  }

  /**
   * Sends a queued add and removes it only after a response. A lock serializes the pages of one browser. `wasSent` is
   * true if another page sent the add first.
   */
  flush<T>(symbol: string, send: (wasSent: boolean) => Promise<T>): Promise<T> {
    return withWebLock(OFFLINE_ADDS_KEY, async () => {
      const result = await send(!listWaitingAdds().some((add) => add.symbol === symbol));
      this.discard(symbol);
      return result;
    });
  }

  /** Removes an add of this page after the member undid it or its request ended. */
  discard(symbol: string): void {
    if (this.#pageSymbols.delete(symbol)) writeStoredAdds(listWaitingAdds().filter((other) => other.symbol !== symbol));
  }

  /** Discards unsent adds at sign-out. The next member must not receive them. */
  readonly #discardAtSignOut = makeOnce(() => {
    session.state.subscribe(() => {
      const state = session.state.get();
      if (state.status !== 'signed-out' || state.signedOutIn === null) return;
      const count = readStoredAdds()?.adds.length ?? 0;
      this.#pageSymbols.clear();
      writeStored(OFFLINE_ADDS_KEY, null);
      if (count === 1) showToast('1 ticker added offline was not saved.');
      if (count > 1) showToast(`${count} tickers added offline were not saved.`);
    });
  });
}

/** Queue of this page. */
export const offlineAdds = new OfflineAddQueue();

/** Returns the signed-in member's queued adds of this browser, oldest first. */
function listWaitingAdds(): readonly Security[] {
  const state = session.state.get();
  const stored = readStoredAdds();
  return state.status === 'signed-in' && stored?.member === state.member.userId ? stored.adds : [];
}

function readStoredAdds(): StoredAdds | null {
  try {
    const stored = JSON.parse(readStored(OFFLINE_ADDS_KEY) ?? 'null') as StoredAdds | null;
    const isValid = Array.isArray(stored?.adds) && stored.adds.every(({ symbol }) => typeof symbol === 'string');
    return isValid ? stored : null;
  } catch {
    return null;
  }
}

function writeStoredAdds(adds: readonly Security[]): void {
  const state = session.state.get();
  if (state.status !== 'signed-in' && state.status !== 'expired') return;
  const text = adds.length === 0 ? null : JSON.stringify({ member: state.member.userId, adds });
  writeStored(OFFLINE_ADDS_KEY, text);
}
