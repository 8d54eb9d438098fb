import {
  type ChangeEvent,
  type HTMLAttributes,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';

interface ComboboxOptions<Option extends { symbol: string }> {
  /** Names the list of options. */
  label: string;
  text: string;
  onTextChange: (text: string) => void;
  options: readonly Option[];
  /** The options belong to the text as it stands, not to what was typed before. */
  isCurrent: boolean;
  /** What Enter takes is highlighted from the start, for a field that takes one; else what the arrows reach. */
  selectFirst?: boolean;
  onSelect: (option: Option) => void;
  /** Asks again, where the search has failed; Enter does that then. */
  retry?: (() => void) | undefined;
  /** Escape in an empty field; without it Escape goes on to what is around. */
  onLeave?: (() => void) | undefined;
}

interface Combobox {
  id: string;
  /** The symbol of the highlighted option. */
  highlighted: string | undefined;
  field: InputHTMLAttributes<HTMLInputElement>;
  list: HTMLAttributes<HTMLElement>;
  option(symbol: string): HTMLAttributes<HTMLElement>;
}

/**
 * A combobox of the ARIA practices over a list that stands open: the focus stays in the field, arrows move a highlight,
 * Enter takes the highlight or the best match, also one that is still being looked for, Escape clears and then leaves.
 */
export function useCombobox<Option extends { symbol: string }>({
  label,
  text,
  onTextChange,
  options,
  isCurrent,
  selectFirst = false,
  onSelect,
  retry,
  onLeave,
}: ComboboxOptions<Option>): Combobox {
  const [activeSymbol, setActiveSymbol] = useState<string | null>(null);
  const pendingEnter = useRef(false);
  const id = useId();
  const bestOption = text.trim() === '' ? undefined : findBestMatch(options, text);
  const highlightedOption =
    options.find(({ symbol }) => symbol === activeSymbol) ?? (selectFirst ? bestOption : undefined);
  const getOptionId = (symbol: string): string => `${id}-${symbol}`;

  useEffect(() => {
    if (!pendingEnter.current || !isCurrent) return;
    pendingEnter.current = false;
    if (bestOption) onSelect(bestOption);
    // Once per answer.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isCurrent, text]);

  useEffect(() => {
    if (activeSymbol !== null) document.getElementById(getOptionId(activeSymbol))?.scrollIntoView({ block: 'nearest' });
    // Once per step: a page that grew meanwhile stays where it is.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [activeSymbol]);

  function change(next: string): void {
    onTextChange(next);
    setActiveSymbol(null);
    pendingEnter.current = false;
  }

  function move(step: 1 | -1): void {
    const index = options.findIndex(({ symbol }) => symbol === highlightedOption?.symbol);
    const next = index === -1 && step === -1 ? options.length - 1 : (index + step + options.length) % options.length;
    setActiveSymbol(options[next]?.symbol ?? null);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (options.length > 0) move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      if (!highlightedOption && text.trim() === '') return;
      event.preventDefault();
      const activeOption = options.find(({ symbol }) => symbol === activeSymbol);
      if (activeOption) onSelect(activeOption);
      else if (!isCurrent) {
        // Enter right after typing means the results that are on their way.
        pendingEnter.current = true;
        retry?.();
      } else if (bestOption) onSelect(bestOption);
    } else if (event.key === 'Escape' && (text !== '' || onLeave)) {
      // In a dialog too it clears and leaves the search first.
      event.preventDefault();
      event.stopPropagation();
      if (text === '') onLeave?.();
      else change('');
    }
  }

  return {
    id,
    highlighted: highlightedOption?.symbol,
    field: {
      role: 'combobox',
      'aria-expanded': options.length > 0,
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': highlightedOption && getOptionId(highlightedOption.symbol),
      autoComplete: 'off',
      autoCapitalize: 'characters',
      spellCheck: false,
      maxLength: 64,
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement>) => change(event.target.value),
      onKeyDown,
    },
    list: { id: `${id}-list`, role: 'listbox', tabIndex: -1, 'aria-label': label },
    option: (symbol) => ({
      id: getOptionId(symbol),
      role: 'option',
      tabIndex: -1,
      onPointerMove: () => symbol !== activeSymbol && setActiveSymbol(symbol),
      // The focus stays in the field.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: () => {
        const option = options.find((other) => other.symbol === symbol);
        if (option) onSelect(option);
      },
    }),
  };
}

/** What Enter takes where nothing is highlighted: the symbol that was typed, else the first. */
function findBestMatch<Option extends { symbol: string }>(
  options: readonly Option[],
  text: string,
): Option | undefined {
  return options.find(({ symbol }) => symbol === text.trim().toUpperCase()) ?? options[0];
}
