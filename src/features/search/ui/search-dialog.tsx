import { useState } from 'react';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Icon, type IconName } from '../../../ui/kit/icon.tsx';
import { IconButton } from '../../../ui/kit/icon-button.tsx';
import { useCombobox } from '../../../ui/kit/use-combobox.ts';
import { SecurityOption } from './shared/security-option.tsx';
import { formatMoreMatches, formatResultCount, useSecuritySearch } from './shared/use-security-search.ts';
import type { SearchResult } from '../contract.ts';
import { matchesWords } from './matches-words.ts';

/** Page or action in the search. */
export interface SearchCommand {
  label: string;
  icon: IconName;
  /** Further words that find it. */
  keywords?: string;
  run: () => void;
}

export interface SearchDialogProps {
  pages: readonly SearchCommand[];
  actions: readonly SearchCommand[];
  onSelectSecurity: (security: SearchResult) => void;
  onClose: () => void;
}

/** Option of the list. `symbol` is its key in the combobox: for a command, its group and label. */
type Option = { symbol: string; command: SearchCommand } | { symbol: string; security: SearchResult };

interface OptionGroup {
  label: string;
  options: readonly Option[];
}

/** Searches securities, pages and actions. Without a text it lists pages and actions. */
export function SearchDialog({ pages, actions, onSelectSecurity, onClose }: SearchDialogProps) {
  const [text, setText] = useState('');
  const search = useSecuritySearch(text);
  const toGroup = (label: string, commands: readonly SearchCommand[]): OptionGroup => ({
    label,
    options: commands
      .filter((command) => matchesWords(`${command.label} ${command.keywords ?? ''}`, text))
      .map((command) => ({ symbol: `${label}/${command.label}`, command })),
  });
  const groups = [
    toGroup('Pages', pages),
    toGroup('Actions', actions),
    ...search.groups.map(({ label, results }) => ({
      label,
      options: results.map((security) => ({ symbol: security.symbol, security })),
    })),
  ].filter(({ options }) => options.length > 0);
  const options = groups.flatMap((group) => group.options);
  const hasCommands = options.some((option) => 'command' in option);
  const combobox = useCombobox<Option>({
    label: 'Results',
    text,
    onTextChange: setText,
    options,
    // A matching page is found at once and does not wait for the securities.
    isCurrent: search.isCurrent || hasCommands,
    selectFirst: true,
    onSelect: select,
    retry: search.error ? search.retry : undefined,
    onLeave: onClose,
  });
  const moreMessage = formatMoreMatches(search.moreCount);
  const hasNoResults = text.trim() !== '' && search.isCurrent && options.length === 0 && !search.error;

  function select(option: Option): void {
    onClose();
    if ('command' in option) option.command.run();
    else onSelectSecurity(option.security);
  }

  return (
    <Dialog
      title="Search"
      onClose={onClose}
      className={
        'mt-2 sm:mt-[12vh] w-[min(36rem,calc(100vw-1rem))] max-h-[min(36rem,calc(100dvh-1rem))] p-0 flex-col open:flex ' +
        'overflow-hidden [&>h2]:sr-only'
      }
    >
      <div className="flex items-center gap-3 border-b border-line ps-4 pe-2">
        <span className="text-ink-faint">
          <Icon name="search" />
        </span>
        <input
          {...combobox.field}
          aria-label="Search securities, pages and actions"
          placeholder="Search"
          autoCapitalize="none"
          className="h-13 min-w-0 flex-1 field-text bg-transparent outline-none placeholder:text-ink-faint"
        />
        <IconButton icon="close" label="Close" onClick={onClose} />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-2">
        {search.error && <ErrorMessage error={search.error} retry={search.retry} />}
        <p role="status" className={hasNoResults ? 'px-2 py-3 text-small text-ink-soft' : 'sr-only'}>
          {hasNoResults
            ? `No matches for “${text.trim()}”. Try a company name or a ticker symbol such as AAPL.`
            : formatResultCount(options.length)}
        </p>
        <div {...combobox.list}>
          {groups.map((group) => (
            <div key={group.label} role="group" aria-label={group.label}>
              <p aria-hidden="true" className="px-2 pt-2 pb-1 text-micro font-medium text-ink-faint">
                {group.label}
              </p>
              {group.options.map((option) => (
                <div
                  key={option.symbol}
                  {...combobox.option(option.symbol)}
                  aria-selected={option.symbol === combobox.highlighted}
                  data-highlighted={option.symbol === combobox.highlighted || undefined}
                  className={
                    'flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-2 aria-selected:bg-accent-soft'
                  }
                >
                  {'command' in option ? (
                    <>
                      <span className="grid size-8 place-items-center text-ink-soft">
                        <Icon name={option.command.icon} />
                      </span>
                      <span className="min-w-0 flex-1 truncate">{option.command.label}</span>
                    </>
                  ) : (
                    <SecurityOption security={option.security} note={getOwnership(option.security)} />
                  )}
                </div>
              ))}
            </div>
          ))}
        </div>
        {moreMessage && <p className="px-2 pt-2 text-small text-ink-soft">{moreMessage}</p>}
      </div>
    </Dialog>
  );
}

function getOwnership({ held, watched }: SearchResult): string | null {
  if (held) return 'Held';
  return watched ? 'Watched' : null;
}
