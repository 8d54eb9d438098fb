import { isComposing } from './is-composing.ts';
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
  /** Accessible name of the list of options. */
  label: string;
  text: string;
  onTextChange: (text: string) => void;
  options: readonly Option[];
  /** Whether the options belong to the current text, not to an earlier one. */
  isCurrent: boolean;
  /**
   * Whether the option that Enter selects is highlighted from the start, for a field that selects one. Otherwise only
   * arrow keys highlight.
   */
  selectFirst?: boolean;
  onSelect: (option: Option) => void;
  /** Repeats a failed search. Enter then calls this function. */
  retry?: (() => void) | undefined;
  /** Called on Escape in an empty field. Without it, Escape bubbles. */
  onLeave?: (() => void) | undefined;
}

interface Combobox {
  id: string;
  /** Symbol of the highlighted option. */
  highlighted: string | undefined;
  field: InputHTMLAttributes<HTMLInputElement>;
  list: HTMLAttributes<HTMLElement>;
  option(symbol: string): HTMLAttributes<HTMLElement>;
}

/**
 * Combobox of the ARIA Authoring Practices with a permanently open list. The focus stays in the field and arrow keys
 * move a highlight. Enter selects the highlighted option or the best match, and waits for a running search. Escape
 * clears the field and then leaves.
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
    // Runs once per response.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isCurrent, text]);

  useEffect(() => {
    if (activeSymbol !== null) document.getElementById(getOptionId(activeSymbol))?.scrollIntoView({ block: 'nearest' });
    // Runs once per step. A page that grew keeps its scroll position.
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
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (options.length > 0) move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      if (!highlightedOption && text.trim() === '') return;
      event.preventDefault();
      const activeOption = options.find(({ symbol }) => symbol === activeSymbol);
      if (activeOption) onSelect(activeOption);
      else if (!isCurrent) {
        // Enter right after typing selects from the results of the running search.
        pendingEnter.current = true;
        retry?.();
      } else if (bestOption) onSelect(bestOption);
    } else if (event.key === 'Escape' && (text !== '' || onLeave)) {
      // In a dialog too, Escape first clears and leaves the search.
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

/** Returns the option that Enter selects without a highlight: the typed symbol, or else the first option. */
function findBestMatch<Option extends { symbol: string }>(
  options: readonly Option[],
  text: string,
): Option | undefined {
  return options.find(({ symbol }) => symbol === text.trim().toUpperCase()) ?? options[0];
}
