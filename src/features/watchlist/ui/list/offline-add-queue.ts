import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { makeOnce } from '../../../../ui/kit/make-once.ts';
import { withWebLock } from '../../../../ui/kit/web-lock.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import type { Security } from './optimistic-updates.ts';
import { OFFLINE_ADDS_KEY } from './item-labels.ts';

interface StoredAdds {
  /** Whose list they are for. */
  member: string;
  adds: readonly Security[];
}

/**
 * Adds that were made offline. They are stored in the browser until the service has answered, so that they outlive the
 * page. Each waiting add belongs to one page of the browser, which sends it.
 */
class OfflineAddQueue {
  /** Symbols whose adds this page sends. */
  readonly #own = new Set<string>();

  /** Stores an add, which this page sends. */
  enqueue(security: Security): void {
    this.#discardAtSignOut();
    this.#own.add(security.symbol);
    writeStoredAdds([...listWaitingAdds().filter(({ symbol }) => symbol !== security.symbol), security]);
  }

  /** Whether this page has to send the add and has no answer to it yet. */
  has(symbol: string): boolean {
    return this.#own.has(symbol);
  }

  /** Takes over the waiting adds that no page is about to send. */
  claim(): readonly Security[] {
    this.#discardAtSignOut();
    const unclaimed = listWaitingAdds().filter(({ symbol }) => !this.#own.has(symbol));
    for (const { symbol } of unclaimed) this.#own.add(symbol);
    return unclaimed;
  }

  /**
   * Sends a waiting add; only an answer removes it. Pages of one browser send one after the other: `wasSent` says that
   * another page has sent it meanwhile.
   */
  flush<T>(symbol: string, send: (wasSent: boolean) => Promise<T>): Promise<T> {
    return withWebLock(OFFLINE_ADDS_KEY, async () => {
      const result = await send(!listWaitingAdds().some((add) => add.symbol === symbol));
      this.discard(symbol);
      return result;
    });
  }

  /** Removes an add of this page: the member took it back, or its sending has ended. */
  discard(symbol: string): void {
    if (this.#own.delete(symbol)) writeStoredAdds(listWaitingAdds().filter((other) => other.symbol !== symbol));
  }

  /** A member who leaves takes back what was never sent: the next one must not find it. */
  readonly #discardAtSignOut = makeOnce(() => {
    session.state.subscribe(() => {
      const state = session.state.get();
      if (state.status !== 'signed-out' || state.signedOutIn === 'never') return;
      const count = readStoredAdds()?.adds.length ?? 0;
      this.#own.clear();
      writeStored(OFFLINE_ADDS_KEY, null);
      if (count === 1) showToast('One ticker that waited for the network was not added.');
      if (count > 1) showToast(`${count} tickers that waited for the network were not added.`);
    });
  });
}

/** The queue of this page. */
export const offlineAdds = new OfflineAddQueue();

/** The adds of the signed-in member that wait in this browser, the oldest first. */
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
