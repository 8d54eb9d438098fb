import { useId } from 'react';

interface ChoiceRowProps<Option extends string> {
  legend: string;
  options: readonly Option[];
  chosen: Option;
  onChoose: (option: Option) => void;
}

/** A few choices of which one holds: radio buttons, so that the arrow keys work as everywhere. */
export function ChoiceRow<Option extends string>({ legend, options, chosen, onChoose }: ChoiceRowProps<Option>) {
  const name = useId();
  return (
    <fieldset className="flex rounded-control border border-line p-0.5">
      <legend className="sr-only">{legend}</legend>
      {options.map((option) => (
        <label key={option} className="choice relative">
          <input
            type="radio"
            name={name}
            value={option}
            checked={option === chosen}
            onChange={() => onChoose(option)}
            className="sr-only"
          />
          {option}
        </label>
      ))}
    </fieldset>
  );
}
