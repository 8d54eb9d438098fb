import { useId } from 'react';
import { ChoiceGroup } from '../../../ui/kit/choice-group.tsx';
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
  return (
    <ChoiceGroup
      legend="Range of the chart"
      name={useId()}
      options={names.map((range) => ({ id: range, label: range, name: rangeLabels[range] }))}
      value={chosen}
      onChange={onChoose}
      isWide
    />
  );
}
