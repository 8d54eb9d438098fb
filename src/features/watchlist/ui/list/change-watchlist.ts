import {
  type MutationState,
  onlineManager,
  type QueryClient,
  useMutation,
  type UseMutationResult,
  useQueryClient,
} from '@tanstack/react-query';
import { callApi } from '../../../../ui/shell/api/api.ts';
import { ApiError } from '../../../../ui/kit/api-error.ts';
import { refusedWith } from '../../../../ui/shell/api/call-api.ts';
import { navigate } from '../../../../ui/shell/navigation/location.ts';
import { showToast } from '../../../../ui/kit/toasts.ts';
import { showErrorToast } from '../../../../ui/shell/session/show-error-toast.ts';
import type { ListState, Watchlist, WatchlistItem } from '../../contract.ts';
import { capture, plansLink } from './capture.ts';
import { type Security, withAdded, withConfirmed, withMoved, withoutSymbol, withRow } from './changed-list.ts';
import { isPending, shortName } from './item-words.ts';
import { isKept, keepAdd, sendKept, takeKept } from './kept-adds.ts';
import { CHANGE, changeList, LIST, readList } from './watchlist-query.ts';

/**
 * Changes wait for one another: the service sees them in the order in which they were made, also after a time offline.
 * One that got no answer is sent once more, since it may have been lost on its way: each of them can be repeated.
 */
const inTurn = {
  scope: { id: 'watchlist' },
  mutationKey: CHANGE,
  retry: (failures: number, error: Error): boolean =>
    failures < 1 && error instanceof ApiError && error.code === 'TIMEOUT',
} as const;
const MOVE = [...CHANGE, 'move'] as const;
const SETTLED_AFTER_MS = 1_000;

let settling: ReturnType<typeof setTimeout> | undefined;

/**
 * The list is read again once the last change under way is done and no other has followed for a while: an earlier
 * answer would show what has changed since, and ten picks in a row would have it read ten times.
 */
const settle = (queries: QueryClient): void => {
  clearTimeout(settling);
  settling = setTimeout(() => {
    if (queries.isMutating({ mutationKey: CHANGE }) === 0) void queries.invalidateQueries({ queryKey: LIST });
  }, SETTLED_AFTER_MS);
};

interface Addition {
  security: Security;
  /** The old place of a row whose removal is undone. */
  position?: number;
}

/**
 * Adds a security at once on screen. That it is watched already (another tab, a retry after a timeout) counts as done.
 */
export function useAddSymbol(): UseMutationResult<WatchlistItem, Error, Addition> {
  const queries = useQueryClient();
  const adding: UseMutationResult<WatchlistItem, Error, Addition> = useMutation({
    ...inTurn,
    mutationFn: (addition) => {
      const { symbol } = addition.security;
      if (!isKept(symbol)) return send(addition);
      return sendKept(symbol, async (wasTaken) => {
        const sentElsewhere = wasTaken && (await readList()).items.find((item) => item.symbol === symbol);
        if (sentElsewhere) return sentElsewhere;
        showToast(`You are online again: ${shortName(addition.security)} is being added.`);
        return send(addition);
      });
    },
    onMutate: async ({ security, position }) => {
      changeList(queries, (list) => withAdded(list, security, position));
      if (!onlineManager.isOnline()) {
        keepAdd(security);
        showToast(`${shortName(security)} waits for the network, and is kept in this browser until then.`);
      }
      await queries.cancelQueries({ queryKey: LIST, exact: true });
    },
    onSuccess: (item) => changeList(queries, (list) => withConfirmed(list, item)),
    onError: (error, addition) => {
      takeKept(addition.security.symbol);
      changeList(queries, (list) => withoutSymbol(list, addition.security.symbol));
      tellRefusal(error, addition.security, queries.getQueryData<Watchlist | null>(LIST), () =>
        adding.mutate(addition),
      );
    },
    onSettled: () => settle(queries),
  });
  return adding;
}

/** Adds it at the service. One that is watched already counts as added. */
async function send({ security: { symbol }, position }: Addition): Promise<WatchlistItem> {
  try {
    const { item } = await callApi('POST /api/watchlist', {
      body: { symbol, ...(position !== undefined && { position }) },
    });
    return item;
  } catch (error) {
    const watched = refusedWith('POST /api/watchlist', 'ALREADY_WATCHED', error);
    if (watched) return watched.item;
    throw error;
  }
}

/** Says why a security was not added, where it is read: the row itself has gone from the list again. */
function tellRefusal(error: Error, security: Security, list: ListState | null | undefined, again: () => void): void {
  const name = shortName(security);
  const full = refusedWith('POST /api/watchlist', 'WATCHLIST_LIMIT_REACHED', error);
  if (!full) return showErrorToast(`${name} was not added.`, error, again);
  const upgrade = (): void => {
    if (list) capture('upgrade_cta_clicked', list, { source: 'dashboard_watchlist_limit' });
    navigate(plansLink('dashboard_watchlist_limit', security.symbol));
  };
  const { limit } = full;
  showToast(`${name} was not added: your watchlist is full, ${limit} of ${limit}.`, 'bad', {
    label: 'Upgrade',
    run: upgrade,
  });
}

/** Removes a row at once on screen. One that is gone already counts as removed; a failure puts it back to its place. */
export function useRemoveItem(): UseMutationResult<void, Error, WatchlistItem> {
  const queries = useQueryClient();
  const removing: UseMutationResult<void, Error, WatchlistItem> = useMutation({
    ...inTurn,
    mutationFn: async (item) => {
      const id = await idOf(item);
      if (id === undefined) return;
      await callApi('DELETE /api/watchlist/{id}', { params: { id } }).catch(unlessGone);
    },
    onMutate: async (item) => {
      takeKept(item.symbol);
      changeList(queries, (list) => withoutSymbol(list, item.symbol));
      await queries.cancelQueries({ queryKey: LIST, exact: true });
    },
    onError: (error, item) => {
      changeList(queries, (list) => withRow(list, item));
      showErrorToast(`${shortName(item)} was not removed.`, error, () => removing.mutate(item));
    },
    onSettled: () => settle(queries),
  });
  return removing;
}

function unlessGone(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 404)) throw error;
}

interface Move {
  symbol: string;
  /** The place that it gets, from 0. */
  to: number;
}

/**
 * Moves one row, at once on screen: what changed elsewhere meanwhile does not matter to it. Of moves of one row in
 * quick succession only the last is sent; a failure goes back to the place that was last saved.
 */
export function useMoveItem(): UseMutationResult<void, Error, Move, { from: number }> {
  const queries = useQueryClient();
  /** The moves that are not done yet, in the order in which they were made. */
  const underWay = () =>
    queries
      .getMutationCache()
      .findAll({ mutationKey: MOVE, status: 'pending' })
      .map(({ state }) => state as MutationState<void, Error, Move, { from: number }>);
  /** Whether the move after this one is of the same row: it alone decides where the row stands. */
  const isOutdone = (move: Move): boolean => {
    const all = underWay().map(({ variables }) => variables);
    return all.includes(move) && all[all.indexOf(move) + 1]?.symbol === move.symbol;
  };
  const moving: UseMutationResult<void, Error, Move, { from: number }> = useMutation({
    ...inTurn,
    mutationKey: MOVE,
    mutationFn: async (move: Move) => {
      if (isOutdone(move)) return;
      const known = queries.getQueryData<Watchlist>(LIST)?.items;
      const id = await idOf(known?.find(({ symbol }) => symbol === move.symbol) ?? { symbol: move.symbol });
      if (id === undefined) return;
      await callApi('PATCH /api/watchlist/{id}', { params: { id }, body: { position: move.to + 1 } });
    },
    onMutate: async (move) => {
      const before = underWay().find(({ variables, context }) => context && variables?.symbol === move.symbol);
      const items = queries.getQueryData<Watchlist>(LIST)?.items ?? [];
      const from = before?.context?.from ?? items.findIndex(({ symbol }) => symbol === move.symbol);
      changeList(queries, (list) => withMoved(list, move.symbol, move.to));
      await queries.cancelQueries({ queryKey: LIST, exact: true });
      return { from };
    },
    onError: (error, move, context) => {
      if (underWay().some(({ variables }) => variables !== move && variables?.symbol === move.symbol)) return;
      if (context) changeList(queries, (list) => withMoved(list, move.symbol, context.from));
      showErrorToast('The order was not saved.', error, () => moving.mutate(move));
    },
    onSettled: () => settle(queries),
  });
  return moving;
}

/** The id of a row; one that was added a moment ago has its own only in the service's list, where it may be gone. */
async function idOf({ symbol, id }: Pick<WatchlistItem, 'symbol'> & { id?: string }): Promise<string | undefined> {
  if (id !== undefined && !isPending({ id })) return id;
  return (await readList()).items.find((item) => item.symbol === symbol)?.id;
}
