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
  onText: (text: string) => void;
  options: readonly Option[];
  /** The options belong to the text as it stands, not to what was typed before. */
  current: boolean;
  /** What Enter takes is highlighted from the start, for a field that takes one; else what the arrows reach. */
  eager?: boolean;
  onTake: (option: Option) => void;
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
  onText,
  options,
  current,
  eager = false,
  onTake,
  retry,
  onLeave,
}: ComboboxOptions<Option>): Combobox {
  const [pointed, setPointed] = useState<string | null>(null);
  const enterWaits = useRef(false);
  const id = useId();
  const best = text.trim() === '' ? undefined : bestMatch(options, text);
  const highlighted = options.find(({ symbol }) => symbol === pointed) ?? (eager ? best : undefined);
  const optionId = (symbol: string): string => `${id}-${symbol}`;

  useEffect(() => {
    if (!enterWaits.current || !current) return;
    enterWaits.current = false;
    if (best) onTake(best);
    // Once per answer.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [current, text]);

  useEffect(() => {
    if (pointed !== null) document.getElementById(optionId(pointed))?.scrollIntoView({ block: 'nearest' });
    // Once per step: a page that grew meanwhile stays where it is.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [pointed]);

  function change(next: string): void {
    onText(next);
    setPointed(null);
    enterWaits.current = false;
  }

  function move(step: 1 | -1): void {
    const at = options.findIndex(({ symbol }) => symbol === highlighted?.symbol);
    const next = at === -1 && step === -1 ? options.length - 1 : (at + step + options.length) % options.length;
    setPointed(options[next]?.symbol ?? null);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (options.length > 0) move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter') {
      if (!highlighted && text.trim() === '') return;
      event.preventDefault();
      const chosen = options.find(({ symbol }) => symbol === pointed);
      if (chosen) onTake(chosen);
      else if (!current) {
        // Enter right after typing means the results that are on their way.
        enterWaits.current = true;
        retry?.();
      } else if (best) onTake(best);
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
    highlighted: highlighted?.symbol,
    field: {
      role: 'combobox',
      'aria-expanded': options.length > 0,
      'aria-controls': `${id}-list`,
      'aria-autocomplete': 'list',
      'aria-activedescendant': highlighted && optionId(highlighted.symbol),
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
      id: optionId(symbol),
      role: 'option',
      tabIndex: -1,
      onPointerMove: () => symbol !== pointed && setPointed(symbol),
      // The focus stays in the field.
      onMouseDown: (event: MouseEvent) => event.preventDefault(),
      onClick: () => {
        const option = options.find((other) => other.symbol === symbol);
        if (option) onTake(option);
      },
    }),
  };
}

/** What Enter takes where nothing is highlighted: the symbol that was typed, else the first. */
function bestMatch<Option extends { symbol: string }>(options: readonly Option[], text: string): Option | undefined {
  return options.find(({ symbol }) => symbol === text.trim().toUpperCase()) ?? options[0];
}
