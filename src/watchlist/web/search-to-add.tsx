import type { KeyboardEvent } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '../../web/ui/button.tsx';
import { Failure } from '../../web/ui/failure.tsx';
import { Icon } from '../../web/ui/icon.tsx';
import type { Watchlist } from '../contract.ts';
import type { Security } from './changed-list.ts';
import { useAddSymbol, useRemoveItem } from './change-watchlist.ts';
import { shortName } from './item-words.ts';
import { SearchOption } from './search-option.tsx';
import { UpgradeLink } from './upgrade-link.tsx';
import { bestMatch, useSecuritySearch } from './use-security-search.ts';

interface SearchToAddProps {
  list: Watchlist;
  /** Takes the focus when it appears; not on a page that has just been loaded. */
  focused: boolean;
  /** Without it there is nothing to close: the list is empty and the search stays. */
  onDone?: (() => void) | undefined;
  onFirstPick?: () => void;
}

/**
 * Search whose rows toggle: a combobox over a list of several choices (ARIA practices), the focus stays in the field. Written here since
 * a list that stays open, toggles on Enter and clears before it closes is not what ready-made ones do.
 */
export default function SearchToAdd({ list, focused, onDone, onFirstPick }: SearchToAddProps) {
  const [text, setText] = useState('');
  const [highlight, setHighlight] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const search = useSecuritySearch(text);
  const add = useAddSymbol();
  const remove = useRemoveItem();
  const field = useRef<HTMLInputElement>(null);
  const enterWaits = useRef(false);
  const id = useId();
  const full = list.item_count >= list.limit;
  const options = search.groups.flatMap(({ results }) => results);
  const highlighted = options.find(({ symbol }) => symbol === highlight);
  const optionId = (symbol: string): string => `${id}-${symbol}`;

  useEffect(() => {
    if (focused) field.current?.focus();
  }, [focused]);

  function toggle(security: Security): void {
    const watched = list.items.find(({ symbol }) => symbol === security.symbol);
    const name = shortName(security);
    if (watched) {
      remove.mutate(watched);
      setSaid(`${name} removed, ${list.item_count - 1} of ${list.limit}`);
    } else if (full) {
      setSaid(`Watchlist full, ${list.item_count} of ${list.limit}. ${name} was not added.`);
    } else {
      if (list.item_count === 0) onFirstPick?.();
      add.mutate({ security });
      setSaid(`${name} added, ${list.item_count + 1} of ${list.limit}`);
    }
  }

  const count = options.length;
  useEffect(() => {
    if (!search.current) return;
    if (enterWaits.current) {
      enterWaits.current = false;
      const best = bestMatch(search.groups, text);
      if (best) toggle(best);
      return;
    }
    if (text.trim() === '') return;
    const timer = setTimeout(() => setSaid(count === 0 ? 'No results' : `${count} ${count === 1 ? 'result' : 'results'}`), 500);
    return () => clearTimeout(timer);
    // Spoken once per answer; what toggling changes is spoken by itself.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [search.current, text, count]);

  useEffect(() => {
    if (highlight !== null) document.getElementById(optionId(highlight))?.scrollIntoView({ block: 'nearest' });
  });

  function move(step: 1 | -1): void {
    if (count === 0) return;
    const at = options.findIndex(({ symbol }) => symbol === highlight);
    const next = at === -1 ? (step === 1 ? 0 : count - 1) : (at + step + count) % count;
    setHighlight(options[next]?.symbol ?? null);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        event.preventDefault();
        return move(event.key === 'ArrowDown' ? 1 : -1);
      case 'Enter': {
        event.preventDefault();
        if (highlighted) return toggle(highlighted);
        if (text.trim() === '') return;
        if (!search.current) {
          enterWaits.current = true;
          return;
        }
        const best = bestMatch(search.groups, text);
        if (best) toggle(best);
        return;
      }
      case 'Escape':
        // In a dialog too it clears and closes the search first.
        if (text === '' && !onDone) return;
        event.preventDefault();
        event.stopPropagation();
        if (text !== '') return change('');
        onDone?.();
    }
  }

  function change(next: string): void {
    setText(next);
    setHighlight(null);
    enterWaits.current = false;
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
            role="combobox"
            aria-label="Search stocks, ETFs, funds and bonds"
            aria-expanded={count > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={highlighted && optionId(highlighted.symbol)}
            aria-describedby={`${id}-count`}
            type="text"
            inputMode="search"
            enterKeyHint="done"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={64}
            placeholder="Search by name or symbol"
            className="field ps-9"
            value={text}
            onChange={(event) => change(event.target.value)}
            onKeyDown={onKeyDown}
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
        <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 rounded-control bg-sunken px-3 py-2 text-small">
          <span>{`Watchlist full, ${list.item_count} of ${list.limit}.`}</span>
          <UpgradeLink source="dashboard_watchlist_limit" list={list} />
        </p>
      )}
      {search.error && <Failure error={search.error} retry={search.retry} />}
      <div id={`${id}-list`} role="listbox" tabIndex={-1} aria-label="Securities" aria-multiselectable="true" className={`-mx-2 max-h-84 overflow-y-auto transition-opacity ${search.current ? '' : 'opacity-60'}`}>
        {search.groups.map((group, index) => (
          <div key={group.label} role="group" aria-labelledby={`${id}-${group.label}`}>
            <div className="flex items-baseline justify-between px-2 pt-2 pb-1 text-micro font-medium text-ink-faint">
              <span id={`${id}-${group.label}`}>{group.label}</span>
              {index === 0 && <span id={`${id}-count`}>{`${list.item_count} of ${list.limit}`}</span>}
            </div>
            {group.results.map((security) => (
              <SearchOption
                key={security.symbol}
                id={optionId(security.symbol)}
                security={security}
                watched={list.items.some(({ symbol }) => symbol === security.symbol)}
                highlighted={security.symbol === highlight}
                full={full}
                onToggle={() => toggle(security)}
                onPoint={() => security.symbol !== highlight && setHighlight(security.symbol)}
              />
            ))}
          </div>
        ))}
      </div>
      {search.current && count === 0 && !search.error && (
        <p className="py-3 text-center text-ink-soft">
          Nothing matches “{text.trim()}”. <span className="text-ink-faint">Try a ticker symbol such as AAPL.</span>
        </p>
      )}
    </div>
  );
}
