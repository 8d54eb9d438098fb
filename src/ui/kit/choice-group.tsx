interface ChoiceGroupProps<Id extends string> {
  legend: string;
  /** Whether the legend is visible. Screen readers always read it. */
  showLegend?: boolean;
  name: string;
  options: readonly { id: Id; label: string }[];
  /** Null if nothing is chosen yet. */
  value: Id | null;
  onChange: (id: Id) => void;
}

/** Compact group of native radio buttons, with their arrow keys and screen-reader support. */
export function ChoiceGroup<Id extends string>({
  legend,
  showLegend = false,
  name,
  options,
  value,
  onChange,
}: ChoiceGroupProps<Id>) {
  return (
    <fieldset className="min-w-0">
      <legend className={showLegend ? 'mb-1.5 text-small font-medium' : 'sr-only'}>{legend}</legend>
      <div className="inline-flex rounded-control border border-line-strong bg-surface p-0.5">
        {options.map(({ id, label }) => (
          <label key={id} className="choice">
            <input type="radio" className="sr-only" name={name} checked={id === value} onChange={() => onChange(id)} />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
