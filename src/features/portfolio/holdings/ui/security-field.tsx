import { useId, useRef } from 'react';
import { SecurityLogo } from '../../../securities/ui/shared/security-logo.tsx';
import { FieldError } from '../../../../ui/kit/text-field.tsx';
import type { SearchResult } from '../../../search/contract.ts';
import { SecuritySearchField } from './security-search-field.tsx';

/** Chosen security. One that the page presets has only symbol and name. */
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

/** Shows a search until a security is chosen, and then this security with a button that opens the search again. */
export function SecurityField({ chosen, error, onChoose }: SecurityFieldProps) {
  const shouldFocusInput = useRef(false);
  const labelId = useId();

  if (!chosen)
    return (
      <SecuritySearchField
        id="security"
        error={error}
        inputRef={(input) => {
          if (input && shouldFocusInput.current) {
            shouldFocusInput.current = false;
            input.focus();
          }
        }}
        onChoose={onChoose}
      />
    );
  return (
    <div className="grid gap-1.5">
      <p id={labelId} className="text-small font-medium">
        Security
      </p>
      <div
        role="group"
        aria-labelledby={labelId}
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
