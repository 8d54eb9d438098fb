interface ChoiceGroupProps<Id extends string> {
  legend: string;
  name: string;
  options: readonly { id: Id; label: string }[];
  value: Id;
  onChange: (id: Id) => void;
}

/** Choice between a few views as native radio buttons. */
export function ChoiceGroup<Id extends string>({ legend, name, options, value, onChange }: ChoiceGroupProps<Id>) {
  return (
    <fieldset className="min-w-0">
      <legend className="sr-only">{legend}</legend>
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
