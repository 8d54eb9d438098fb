import { type ReactNode, type RefCallback, useState } from 'react';
import { useCombobox } from '../../../../ui/kit/use-combobox.ts';
import {
  formatMoreMatches,
  formatResultCount,
  useSecuritySearch,
} from '../../../search/ui/shared/use-security-search.ts';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { SearchInput } from '../../../../ui/kit/search-input.tsx';
import { SecurityOption } from '../../../search/ui/shared/security-option.tsx';
import { FieldError } from '../../../../ui/kit/text-field.tsx';
import type { SearchResult } from '../../../search/contract.ts';

interface SecuritySearchFieldProps {
  /** Id of the input, by which a form moves the focus to it. */
  id: string;
  label?: ReactNode;
  /** Text of the first search. */
  initialText?: string;
  error?: string | null;
  inputRef?: RefCallback<HTMLInputElement>;
  onChoose: (security: SearchResult) => void;
}

/** Searches securities while typing, and selects one by Enter or tap. */
export function SecuritySearchField({
  id,
  label = 'Security',
  initialText = '',
  error = null,
  inputRef,
  onChoose,
}: SecuritySearchFieldProps) {
  const [text, setText] = useState(initialText);
  const search = useSecuritySearch(text);
  const options = search.groups.flatMap(({ results }) => results);
  const combobox = useCombobox({
    label: 'Securities',
    text,
    onTextChange: setText,
    options,
    isCurrent: search.isCurrent,
    selectFirst: true,
    onSelect(security) {
      setText('');
      onChoose(security);
    },
    retry: search.error ? search.retry : undefined,
  });
  const moreMessage = formatMoreMatches(search.moreCount);
  const hasNoResults = search.isCurrent && options.length === 0 && !search.error;
  const noResultsMessage = hasNoResults ? `No matches for “${text.trim()}”. Try a ticker symbol such as AAPL.` : null;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-small font-medium">
        {label}
      </label>
      <SearchInput
        ref={inputRef}
        {...combobox.field}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        placeholder="Name or symbol"
      />
      {error && <FieldError id={`${id}-error`} text={error} />}
      {search.error && <ErrorMessage error={search.error} retry={search.retry} />}
      <p role="status" className={hasNoResults ? 'text-small text-ink-soft' : 'sr-only'}>
        {noResultsMessage ?? (search.isCurrent ? formatResultCount(options.length) : '')}
      </p>
      <div {...combobox.list} className="-mx-2 max-h-60 overflow-y-auto">
        {search.groups.map((group) => (
          <div key={group.type} role="group" aria-label={group.label}>
            <p aria-hidden="true" className="px-2 pt-1.5 pb-1 text-micro font-medium text-ink-faint">
              {group.label}
            </p>
            {group.results.map((result) => (
              <div
                key={result.symbol}
                {...combobox.option(result.symbol)}
                aria-selected={result.symbol === combobox.highlighted}
                className={
                  'flex min-h-12 cursor-pointer items-center gap-3 ' +
                  'rounded-control px-2 aria-selected:bg-accent-soft'
                }
              >
                <SecurityOption security={result} note={result.held ? 'Held' : null} />
              </div>
            ))}
          </div>
        ))}
      </div>
      {moreMessage && <p className="text-small text-ink-soft">{moreMessage}</p>}
    </div>
  );
}
