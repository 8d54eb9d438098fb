import { useEffect, useRef, useState } from 'react';
import { useCombobox } from '../../../../ui/kit/use-combobox.ts';
import {
  formatMoreMatches,
  formatResultCount,
  useSecuritySearch,
} from '../../../search/ui/shared/use-security-search.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { SearchInput } from '../../../../ui/kit/search-input.tsx';
import type { Watchlist, WatchlistItem } from '../../contract.ts';
import { useConfirmRemoval } from '../list/confirm-removal.tsx';
import { capture } from '../list/capture.ts';
import type { Security } from '../list/optimistic-updates.ts';
import { useAddSymbol } from '../list/add-item.ts';
import { formatShortName } from '../../../securities/ui/shared/security-labels.ts';
import { FullNotice } from '../list/full-notice.tsx';
import { formatListCount } from '../list/item-labels.ts';
import { useRemoveWithUndo } from '../list/remove-with-undo.ts';
import { SearchOption } from './search-option.tsx';

/**
 * Suggestions for a new list: six well-known securities. Logos come from the registry or the issuer's badge. Letters
 * replace a missing logo.
 */
const popularSecurities: readonly Security[] = (
  [
    ['AAPL', 'Apple Inc.', 'stock'],
    ['MSFT', 'Microsoft Corporation', 'stock'],
    ['NVDA', 'NVIDIA Corporation', 'stock'],
    ['AMZN', 'Amazon.com, Inc.', 'stock'],
    ['GOOGL', 'Alphabet Inc.', 'stock'],
    ['VOO', 'Vanguard S&P 500 ETF', 'etf'],
  ] as const
).map(([symbol, name, assetType]) => ({
  symbol,
  name,
  asset_type: assetType,
  currency: 'USD',
  logo: `/api/logos/registry/${symbol}`,
}));

export interface TickerSearchProps {
  list: Watchlist;
  /** Whether the field takes the focus when it appears. False right after a page load. */
  shouldFocus: boolean;
  /** Closes the search. Absent if the list is empty, because the search then stays open. */
  onDone?: (() => void) | undefined;
  onFirstPick?: () => void;
  /** Removes a row without a toast in the corner, which a dialog would cover. */
  onRemove?: (item: WatchlistItem) => void;
}

/** Search whose results toggle. The search stays open, so that several securities can be added or removed. */
export default function TickerSearch({ list, shouldFocus, onDone, onFirstPick, onRemove }: TickerSearchProps) {
  const [text, setText] = useState('');
  const [announcement, setAnnouncement] = useState('');
  const [rejectedSymbol, setRejectedSymbol] = useState<string>();
  const search = useSecuritySearch(text);
  const add = useAddSymbol();
  const removeWithUndo = useRemoveWithUndo();
  const removal = useConfirmRemoval(list, onRemove ?? removeWithUndo);
  const field = useRef<HTMLInputElement>(null);
  const isFull = list.item_count >= list.limit;
  const isBlank = text.trim() === '';
  const groups = isBlank ? [{ label: 'Popular', results: popularSecurities }] : search.groups;
  const isCurrent = isBlank || search.isCurrent;
  const options: readonly Security[] = groups.flatMap(({ results }) => results);
  const count = options.length;
  const moreMessage = isBlank ? null : formatMoreMatches(search.moreCount);
  const countTimer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // This effect must precede `useCombobox`. Its deferred Enter announces in the same commit and must win.
  useEffect(() => {
    if (!isCurrent || isBlank) return;
    countTimer.current = setTimeout(() => setAnnouncement(count === 0 ? 'No results' : formatResultCount(count)), 500);
    return () => clearTimeout(countTimer.current);
  }, [isCurrent, isBlank, count]);
  const combobox = useCombobox({
    label: 'Securities',
    text,
    onTextChange: setText,
    options,
    isCurrent,
    onSelect: toggle,
    retry: search.error ? search.retry : undefined,
    onLeave: onDone,
  });
  const countId = `${combobox.id}-count`;

  useEffect(() => {
    if (shouldFocus) field.current?.focus();
  }, [shouldFocus]);

  function toggle(security: Security): void {
    const watchedItem = list.items.find(({ symbol }) => symbol === security.symbol);
    const name = formatShortName(security);
    clearTimeout(countTimer.current);
    setAnnouncement('');
    if (watchedItem) {
      // The removal announces itself.
      removal.request(watchedItem);
    } else if (isFull) {
      // The page rejects the add, so the service never receives it.
      capture('watchlist_limit_reached', list);
      setRejectedSymbol(security.symbol);
      setAnnouncement(`Watchlist full, ${formatListCount(list)}. Could not add ${name}.`);
    } else {
      if (list.item_count === 0) onFirstPick?.();
      // The next letter starts another search.
      field.current?.select();
      // The row appears at once. The add is announced after confirmation, and the mutation reports its own errors.
      add.mutateAsync({ security }).then(
        ({ position }) => setAnnouncement(`${name} added, ${position} of ${list.limit}`),
        () => undefined,
      );
    }
  }

  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <div className="flex-1">
          <SearchInput
            ref={field}
            {...combobox.field}
            aria-label="Search stocks, ETFs, funds and bonds"
            aria-describedby={countId}
            type="text"
            inputMode="search"
            enterKeyHint="done"
            placeholder="Search by name or symbol"
          />
        </div>
        {onDone && (
          <Button variant="quiet" onClick={onDone} className="min-h-10">
            Done
          </Button>
        )}
      </div>
      <p role="status" className="sr-only">
        {announcement}
      </p>
      {isFull && <FullNotice list={list} symbol={rejectedSymbol} />}
      {search.error && <ErrorMessage error={search.error} retry={search.retry} />}
      <div
        {...combobox.list}
        aria-multiselectable="true"
        className={`-mx-2 max-h-96 overflow-y-auto transition-opacity ${isCurrent ? '' : 'opacity-60'}`}
      >
        {groups.map((group, index) => (
          <div key={group.label} role="group" aria-labelledby={`${combobox.id}-${group.label}`}>
            <div className="flex items-baseline justify-between px-2 pt-2 pb-1 text-micro font-medium text-ink-faint">
              <span id={`${combobox.id}-${group.label}`}>{group.label}</span>
              {index === 0 && <span id={countId}>{formatListCount(list)}</span>}
            </div>
            {group.results.map((security) => (
              <SearchOption
                key={security.symbol}
                optionProps={combobox.option(security.symbol)}
                security={security}
                isWatched={list.items.some(({ symbol }) => symbol === security.symbol)}
                isHighlighted={security.symbol === combobox.highlighted}
                isFull={isFull}
              />
            ))}
          </div>
        ))}
      </div>
      {moreMessage && <p className="px-2 text-small text-ink-soft">{moreMessage}</p>}
      {isCurrent && count === 0 && !search.error && (
        <p className="py-3 text-center text-ink-soft">
          No matches for “{text.trim()}”. <span className="text-ink-faint">Try a ticker symbol such as AAPL.</span>
        </p>
      )}
      {removal.dialog}
    </div>
  );
}
