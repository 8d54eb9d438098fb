import type { Ref } from 'react';
import { Icon } from './icon.tsx';

interface SelectMenuProps<Value extends string> {
  /** Name for screen readers. */
  label: string;
  value: Value;
  /** Visible text of each value, in order. */
  options: Readonly<Record<Value, string>>;
  onChange: (value: Value) => void;
  /** Receives the select, such as to focus it. */
  selectRef?: Ref<HTMLSelectElement>;
  /** Whether the choice is being saved. */
  isBusy?: boolean;
  className: string;
  /** Height and inner margin of the select. */
  selectClassName: string;
}

/** Small native select with a chevron, as wide as its chosen text. */
export function SelectMenu<Value extends string>(props: SelectMenuProps<Value>) {
  const { label, value, options, onChange, selectRef, isBusy = false, className, selectClassName } = props;
  return (
    <label className={`relative inline-flex items-center rounded-control text-small hover:bg-sunken ${className}`}>
      <span className="sr-only">{label}</span>
      <select
        ref={selectRef}
        value={value}
        aria-busy={isBusy}
        // Only the options above can be chosen.
        onChange={(event) => onChange(event.target.value as Value)}
        className={
          'cursor-pointer appearance-none [field-sizing:content] rounded-control bg-transparent pe-6 font-medium ' +
          `text-inherit ${selectClassName}`
        }
      >
        {Object.entries<string>(options).map(([option, text]) => (
          <option key={option} value={option} className="bg-raised text-ink">
            {text}
          </option>
        ))}
      </select>
      <span className="pointer-events-none absolute inset-y-0 end-2 grid place-items-center">
        <Icon name="chevron" size={12} />
      </span>
    </label>
  );
}
