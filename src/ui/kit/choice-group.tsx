interface ChoiceGroupProps<Id extends string> {
  legend: string;
  /** Whether the legend is visible. Screen readers always read it. */
  showLegend?: boolean;
  name: string;
  /** `name` is read by screen readers instead of a short label. */
  options: readonly { id: Id; label: string; name?: string }[];
  /** Null if nothing is chosen yet. */
  value: Id | null;
  onChange: (id: Id) => void;
  /** Whether the options share the whole width. */
  isWide?: boolean;
}

/** Compact group of native radio buttons, with their arrow keys and screen-reader support. */
export function ChoiceGroup<Id extends string>({
  legend,
  showLegend = false,
  name,
  options,
  value,
  onChange,
  isWide = false,
}: ChoiceGroupProps<Id>) {
  return (
    <fieldset className="min-w-0">
      <legend className={showLegend ? 'mb-1.5 text-small font-medium' : 'sr-only'}>{legend}</legend>
      <div className={`${isWide ? 'flex' : 'inline-flex'} rounded-control border border-line-strong bg-surface p-0.5`}>
        {options.map(({ id, label, name: spokenName }) => (
          <label key={id} className={`choice ${isWide ? 'flex-1 justify-center max-sm:px-1' : ''}`}>
            <input
              type="radio"
              className="sr-only"
              name={name}
              aria-label={spokenName}
              checked={id === value}
              onChange={() => onChange(id)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
