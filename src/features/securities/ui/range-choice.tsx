import { useId } from 'react';
import type { RangeName } from '../contract.ts';

const rangeLabels: Readonly<Record<RangeName, string>> = {
  '1W': 'One week',
  '1M': 'One month',
  '3M': 'Three months',
  '6M': 'Six months',
  YTD: 'Year to date',
  '1Y': 'One year',
};

interface RangeChoiceProps {
  names: readonly RangeName[];
  chosen: RangeName;
  onChoose: (name: RangeName) => void;
}

/** Shows the ranges that the history covers. Other ranges are omitted. */
export function RangeChoice({ names, chosen, onChoose }: RangeChoiceProps) {
  const id = useId();
  return (
    <fieldset className="flex justify-between rounded-control bg-sunken p-0.5">
      <legend className="sr-only">Range of the chart</legend>
      {names.map((name) => (
        <label key={name} className="choice flex-1 justify-center px-1">
          <input
            type="radio"
            name={id}
            value={name}
            aria-label={rangeLabels[name]}
            checked={name === chosen}
            onChange={() => onChoose(name)}
            className="sr-only"
          />
          {name}
        </label>
      ))}
    </fieldset>
  );
}
