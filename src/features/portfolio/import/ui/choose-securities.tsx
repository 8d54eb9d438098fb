import { useRef, useState } from 'react';
import { formatInteger } from '../../../../ui/kit/formats.ts';
import { useFocusAfterUpdate } from '../../../../ui/kit/use-focus-after-update.ts';
import type { ImportRow } from '../contract.ts';
import { SecuritySearchField } from '../../holdings/ui/security-search-field.tsx';
import { formatPlace, reasonTexts } from './import-texts.ts';
import { useFirstRows } from './use-first-rows.tsx';

/** Maximum length of a search. */
const MAX_SEARCH_LENGTH = 64;

/** Security that the member chose for a text of the file. */
export interface SecurityChoice {
  text: string;
  symbol: string;
}

interface ChooseSecuritiesProps {
  /** Rows without a known security. Those with the same text share a choice. */
  rows: readonly ImportRow[];
  choices: readonly SecurityChoice[];
  onChange: (choices: SecurityChoice[]) => void;
}

/** Returns the texts of a file whose security the member has not chosen, each with its rows. */
export function groupUnchosen(
  rows: readonly ImportRow[],
  choices: readonly SecurityChoice[],
): ReadonlyMap<string, ImportRow[]> {
  const chosen = new Set(choices.map(({ text }) => text));
  const open = rows.filter(({ outcome, search }) => outcome === 'left_out' && search !== null && !chosen.has(search));
  return Map.groupBy(open, ({ search }) => search!);
}

/** Searches the securities that the file does not name by a symbol. The search of the first is open and filled in. */
export function ChooseSecurities({ rows, choices, onChange }: ChooseSecuritiesProps) {
  const container = useRef<HTMLElement>(null);
  const focusAfterUpdate = useFocusAfterUpdate(container);
  const [chosenText, setChosenText] = useState<string | null>(null);
  const unchosen = groupUnchosen(rows, choices);
  const { shown, button } = useFirstRows([...unchosen]);
  const openText = chosenText !== null && unchosen.has(chosenText) ? chosenText : [...unchosen.keys()][0];
  if (unchosen.size === 0 && choices.length === 0) return null;

  function change(next: SecurityChoice[]): void {
    setChosenText(null);
    onChange(next);
    // The next open search, or a choice that can be changed.
    focusAfterUpdate('input, button');
  }

  return (
    <section ref={container} className="min-w-0">
      <h3 className="text-small font-semibold">
        {unchosen.size > 0 ? `Choose the security (${formatInteger(unchosen.size)})` : 'Chosen securities'}
      </h3>
      <ul aria-label="Choose the security" className="mt-1.5 rounded-control border border-line px-3 text-small">
        {shown.map(([text, [row, ...others]]) => (
          <li key={text} className="grid gap-2 border-t border-line py-2 first:border-0">
            <div className="flex flex-wrap items-center justify-between gap-x-3">
              <div className="min-w-0">
                <p className="truncate font-semibold">{text}</p>
                <p className="text-ink-faint">
                  {[
                    formatPlace(
                      row!.account,
                      [row!, ...others].flatMap(({ lines }) => lines),
                    ),
                    row!.reason && reasonTexts[row!.reason],
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              {text !== openText && (
                <button
                  type="button"
                  className="link min-h-9 font-medium"
                  onClick={() => {
                    setChosenText(text);
                    focusAfterUpdate('input');
                  }}
                >
                  Choose<span className="sr-only">{` the security of ${text}`}</span>
                </button>
              )}
            </div>
            {text === openText && (
              <SecuritySearchField
                id="import-security"
                label={
                  <>
                    Security<span className="sr-only">{` of ${text}`}</span>
                  </>
                }
                initialText={text.slice(0, MAX_SEARCH_LENGTH)}
                onChoose={({ symbol }) => change([...choices, { text, symbol }])}
              />
            )}
          </li>
        ))}
        {choices.map(({ text, symbol }) => (
          <li
            key={text}
            className="flex flex-wrap items-center justify-between gap-x-3 border-t border-line py-1 first:border-0"
          >
            <p className="min-w-0 wrap-anywhere">{`${text} is ${symbol}`}</p>
            <button
              type="button"
              className="link min-h-9 font-medium"
              onClick={() => change(choices.filter((choice) => choice.text !== text))}
            >
              Change<span className="sr-only">{` the security of ${text}`}</span>
            </button>
          </li>
        ))}
      </ul>
      {button}
    </section>
  );
}
