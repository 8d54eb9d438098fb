import { useEffect, useRef, useState } from 'react';
import { useCombobox } from '../../../../ui/kit/use-combobox.ts';
import { moreWords, useSecuritySearch } from '../../../../ui/shell/market/use-security-search.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Failure } from '../../../../ui/kit/failure.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import type { Watchlist, WatchlistItem } from '../../contract.ts';
import { useRemovalQuestion } from '../list/ask-removal.tsx';
import { capture } from '../list/capture.ts';
import type { Security } from '../list/changed-list.ts';
import { useAddSymbol } from '../list/add-item.ts';
import { countWords, shortName } from '../list/item-words.ts';
import { useRemoveWithUndo } from '../list/remove-with-undo.ts';
import { SearchOption } from './search-option.tsx';
import { UpgradeLink } from '../list/upgrade-link.tsx';

/**
 * What a new list offers first: six that most people know. Their logos stand where the rows will have theirs: the
 * registry's, else the issuer's badge; where the address has no picture, letters.
 */
const popularSix: readonly Security[] = (
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

export interface SearchToAddProps {
  list: Watchlist;
  /** Takes the focus when it appears; not on a page that has just been loaded. */
  focused: boolean;
  /** Without it there is nothing to close: the list is empty and the search stays. */
  onDone?: (() => void) | undefined;
  onFirstPick?: () => void;
  /** Removes a row in another way than with a notice in the corner, which a dialog covers. */
  onRemove?: (item: WatchlistItem) => void;
}

/** Search whose rows toggle: it stays open, so that several can be added, and removed again, one after the other. */
export default function SearchToAdd({ list, focused, onDone, onFirstPick, onRemove }: SearchToAddProps) {
  const [text, setText] = useState('');
  const [said, setSaid] = useState('');
  const [refused, setRefused] = useState<string>();
  const found = useSecuritySearch(text);
  const add = useAddSymbol();
  const removeWithUndo = useRemoveWithUndo();
  const removal = useRemovalQuestion(list, onRemove ?? removeWithUndo);
  const field = useRef<HTMLInputElement>(null);
  const full = list.item_count >= list.limit;
  const blank = text.trim() === '';
  const groups = blank ? [{ label: 'Popular', results: popularSix }] : found.groups;
  const current = blank || found.current;
  const options: readonly Security[] = groups.flatMap(({ results }) => results);
  const count = options.length;
  const more = blank ? null : moreWords(found.more);
  const counting = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Before the combobox, whose waiting Enter takes the floor in the same moment.
  useEffect(() => {
    if (!current || blank) return;
    counting.current = setTimeout(
      () => setSaid(count === 0 ? 'No results' : `${count} ${count === 1 ? 'result' : 'results'}`),
      500,
    );
    return () => clearTimeout(counting.current);
  }, [current, blank, count]);
  const combobox = useCombobox({
    label: 'Securities',
    text,
    onText: setText,
    options,
    current,
    onTake: toggle,
    retry: found.error ? found.retry : undefined,
    onLeave: onDone,
  });
  const countId = `${combobox.id}-count`;

  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);

  function toggle(security: Security): void {
    const watched = list.items.find(({ symbol }) => symbol === security.symbol);
    const name = shortName(security);
    clearTimeout(counting.current);
    setSaid('');
    if (watched) {
      // Whatever removes it tells so.
      removal.remove(watched);
    } else if (full) {
      // Refused here, so the service never hears of it.
      capture('watchlist_limit_reached', list);
      setRefused(security.symbol);
      setSaid(`Watchlist full, ${countWords(list)}. ${name} was not added.`);
    } else {
      if (list.item_count === 0) onFirstPick?.();
      // Seen at once, said when it is so: a refusal has been told where it was met.
      add.mutateAsync({ security }).then(
        ({ position }) => setSaid(`${name} added, ${position} of ${list.limit}`),
        () => undefined,
      );
    }
  }

  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <div className="relative flex-1">
          <span className="pointer-events-none absolute inset-y-0 start-3 grid place-items-center text-ink-faint">
            <Icon name="search" />
          </span>
          <input
            ref={field}
            {...combobox.field}
            aria-label="Search stocks, ETFs, funds and bonds"
            aria-describedby={countId}
            type="text"
            inputMode="search"
            enterKeyHint="done"
            placeholder="Search by name or symbol"
            className="field ps-9"
          />
        </div>
        {onDone && (
          <Button look="quiet" onClick={onDone} className="min-h-10">
            Done
          </Button>
        )}
      </div>
      <p role="status" className="sr-only">
        {said}
      </p>
      {full && (
        <p
          className={
            'flex flex-wrap items-center justify-between gap-x-3 gap-y-1 ' +
            'rounded-control bg-sunken px-3 py-2 text-small'
          }
        >
          <span>{`Watchlist full, ${countWords(list)}.`}</span>
          <UpgradeLink source="dashboard_watchlist_limit" list={list} symbol={refused} />
        </p>
      )}
      {found.error && <Failure error={found.error} retry={found.retry} />}
      <div
        {...combobox.list}
        aria-multiselectable="true"
        className={`-mx-2 max-h-96 overflow-y-auto transition-opacity ${current ? '' : 'opacity-60'}`}
      >
        {groups.map((group, index) => (
          <div key={group.label} role="group" aria-labelledby={`${combobox.id}-${group.label}`}>
            <div className="flex items-baseline justify-between px-2 pt-2 pb-1 text-micro font-medium text-ink-faint">
              <span id={`${combobox.id}-${group.label}`}>{group.label}</span>
              {index === 0 && <span id={countId}>{countWords(list)}</span>}
            </div>
            {group.results.map((security) => (
              <SearchOption
                key={security.symbol}
                combobox={combobox.option(security.symbol)}
                security={security}
                watched={list.items.some(({ symbol }) => symbol === security.symbol)}
                highlighted={security.symbol === combobox.highlighted}
                full={full}
              />
            ))}
          </div>
        ))}
      </div>
      {more && <p className="px-2 text-small text-ink-soft">{more}</p>}
      {current && count === 0 && !found.error && (
        <p className="py-3 text-center text-ink-soft">
          Nothing matches “{text.trim()}”. <span className="text-ink-faint">Try a ticker symbol such as AAPL.</span>
        </p>
      )}
      {removal.question}
    </div>
  );
}
