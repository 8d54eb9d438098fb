import { useRef, useState } from 'react';
import { useCombobox } from '../../../ui/kit/use-combobox.ts';
import { formatMoreMatches, useSecuritySearch } from '../../../ui/shell/market/use-security-search.ts';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { Icon } from '../../../ui/kit/icon.tsx';
import { SecurityLogo } from '../../../ui/shell/market/security-logo.tsx';
import { FieldError } from '../../../ui/kit/text-field.tsx';
import type { SearchResult } from '../../search/contract.ts';

/** Selected security. A preset has only symbol and name. */
export type ChosenSecurity = Pick<SearchResult, 'symbol'> & {
  name: string | null;
  logo?: string | null;
  asset_type?: SearchResult['asset_type'];
  currency?: string | null;
};

interface SecurityFieldProps {
  chosen: ChosenSecurity | null;
  error: string | null;
  onChoose: (security: ChosenSecurity | null) => void;
}

/** Selects the security of a holding: search while typing, selection by Enter or tap, then the selected security. */
export function SecurityField({ chosen, error, onChoose }: SecurityFieldProps) {
  const [text, setText] = useState('');
  const search = useSecuritySearch(text);
  const shouldFocusInput = useRef(false);
  const options = search.groups.flatMap(({ results }) => results);
  const combobox = useCombobox({
    label: 'Securities',
    text,
    onTextChange: setText,
    options,
    isCurrent: search.isCurrent,
    selectFirst: true,
    onSelect: choose,
    retry: search.error ? search.retry : undefined,
  });
  const { id } = combobox;
  const moreMessage = formatMoreMatches(search.moreCount);
  const hasNoResults = search.isCurrent && options.length === 0 && !search.error;
  const message = hasNoResults ? `No matches for “${text.trim()}”. Try a ticker symbol such as AAPL.` : null;

  function choose(security: SearchResult): void {
    setText('');
    onChoose(security);
    requestAnimationFrame(() => document.getElementById('quantity')?.focus());
  }

  if (chosen) {
    return (
      <div className="grid gap-1.5">
        <p id={`${id}-label`} className="text-small font-medium">
          Security
        </p>
        <div
          role="group"
          aria-labelledby={`${id}-label`}
          className="flex min-h-12 items-center gap-3 rounded-control bg-sunken py-1.5 ps-3 pe-1.5"
        >
          <SecurityLogo symbol={chosen.symbol} logo={chosen.logo ?? null} />
          <p className="min-w-0 flex-1">
            <span className="block truncate font-semibold">{chosen.symbol}</span>
            <span className="block truncate text-small text-ink-soft">{chosen.name}</span>
          </p>
          <button
            type="button"
            id="security"
            className="link min-h-8 px-2 text-small font-medium"
            onClick={() => {
              shouldFocusInput.current = true;
              onChoose(null);
            }}
          >
            Change<span className="sr-only"> the security</span>
          </button>
        </div>
        {error && <FieldError text={error} />}
      </div>
    );
  }
  return (
    <div className="grid gap-1.5">
      <label htmlFor="security" className="text-small font-medium">
        Security
      </label>
      <div className="relative">
        <span className="pointer-events-none absolute inset-y-0 start-3 grid place-items-center text-ink-faint">
          <Icon name="search" />
        </span>
        <input
          ref={(input) => {
            if (input && shouldFocusInput.current) {
              shouldFocusInput.current = false;
              input.focus();
            }
          }}
          {...combobox.field}
          id="security"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          placeholder="Name or symbol"
          className="field ps-8"
        />
      </div>
      {error && <FieldError id={`${id}-error`} text={error} />}
      {search.error && <ErrorMessage error={search.error} retry={search.retry} />}
      <p role="status" className={message ? 'text-small text-ink-soft' : 'sr-only'}>
        {message ?? (search.isCurrent ? `${options.length} ${options.length === 1 ? 'result' : 'results'}` : '')}
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
                <SecurityLogo symbol={result.symbol} logo={result.logo} />
                <span className="min-w-0 flex-1">
                  <span className="block truncate font-semibold">
                    {result.symbol}{' '}
                    <span className="ms-1 text-micro font-normal text-ink-faint">{result.exchange}</span>
                  </span>
                  <span className="block truncate text-small text-ink-soft">{result.name}</span>
                  {result.renamed_from && (
                    <span className="block text-small text-ink-soft">
                      {`${result.renamed_from} is ${result.symbol} now`}
                    </span>
                  )}
                </span>
                {result.held && <span className="text-micro text-ink-faint">Held</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {moreMessage && <p className="text-small text-ink-soft">{moreMessage}</p>}
    </div>
  );
}
