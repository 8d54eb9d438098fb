import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { withPageLock } from '../../../../ui/kit/page-lock.ts';
import { session } from '../../../../ui/shell/session/session.ts';
import type { Security } from './changed-list.ts';
import { KEPT } from './item-words.ts';

interface Kept {
  /** Whose list they are for. */
  member: string;
  adds: readonly Security[];
}

/** Those whose sending is this page's: another page of the browser sends what it finds in the storage, unless taken. */
const own = new Set<string>();

function read(): Kept | null {
  try {
    const kept = JSON.parse(readStored(KEPT) ?? 'null') as Kept | null;
    const isWhole = Array.isArray(kept?.adds) && kept.adds.every(({ symbol }) => typeof symbol === 'string');
    return isWhole ? kept : null;
  } catch {
    return null;
  }
}

function write(adds: readonly Security[]): void {
  const state = session.state.get();
  if (state.status !== 'signed-in' && state.status !== 'expired') return;
  writeStored(KEPT, adds.length === 0 ? null : JSON.stringify({ member: state.member.userId, adds }));
}

/** What the member added offline and the service has not been told, the oldest first. */
function keptAdds(): readonly Security[] {
  const state = session.state.get();
  const kept = read();
  return state.status === 'signed-in' && kept?.member === state.member.userId ? kept.adds : [];
}

/** Keeps an add in the browser until the service can be told, also when the page is closed meanwhile. */
export function keepAdd(security: Security): void {
  own.add(security.symbol);
  write([...keptAdds().filter(({ symbol }) => symbol !== security.symbol), security]);
}

/** Takes a kept add out: the member took it back, or its sending has ended. */
export function takeKept(symbol: string): void {
  if (own.delete(symbol)) write(keptAdds().filter((other) => other.symbol !== symbol));
}

/**
 * Sends a kept add, which an answer alone takes out: a page that is closed before leaves it to the next one. Pages of
 * one browser send one after the other; `wasTaken` says that another one has sent it meanwhile.
 */
export const sendKept = <T>(symbol: string, send: (wasTaken: boolean) => Promise<T>): Promise<T> =>
  withPageLock(KEPT, async () => {
    const answer = await send(!keptAdds().some((kept) => kept.symbol === symbol));
    takeKept(symbol);
    return answer;
  });

/** Whether this page keeps the add, and has no answer to it yet. */
export const isKept = (symbol: string): boolean => own.has(symbol);

/** The kept adds that no page is about to send, which from now on this one is. */
export function claimKept(): readonly Security[] {
  const unclaimed = keptAdds().filter(({ symbol }) => !own.has(symbol));
  for (const { symbol } of unclaimed) own.add(symbol);
  return unclaimed;
}

// A member who leaves takes back what was never sent: the next one must not find it.
session.state.subscribe(() => {
  const state = session.state.get();
  if (state.status !== 'signed-out' || state.how === 'never') return;
  const count = read()?.adds.length ?? 0;
  own.clear();
  writeStored(KEPT, null);
  if (count > 0)
    showToast(
      count === 1
        ? 'One ticker that waited for the network was not added.'
        : `${count} tickers that waited for the network were not added.`,
    );
});
