import { useId } from 'react';
import { listModels } from '../../../../../packages/token-counter/src/index.ts';

interface ModelSelectProps {
  label: string;
  value: string;
  /** Text of the option without a model. */
  emptyText?: string;
  /** Models that are not offered. */
  omitted?: readonly string[];
  onChange: (id: string) => void;
}

/** Select of a model. A value that is no known model has its own option. */
export function ModelSelect({ label, value, emptyText, omitted = [], onChange }: ModelSelectProps) {
  const id = useId();
  const models = listModels().filter((model) => !omitted.includes(model.id));
  const isKnown = models.some((model) => model.id === value);
  return (
    <div className="grid min-w-0 gap-1.5">
      <label htmlFor={id} className="text-small font-medium">
        {label}
      </label>
      <select id={id} value={value} className="field" onChange={(event) => onChange(event.target.value)}>
        {!isKnown && <option value={value}>{value === '' ? (emptyText ?? 'Choose a model') : value}</option>}
        <optgroup label="Current">
          {models
            .filter(({ status }) => status !== 'retired')
            .map((model) => (
              <option key={model.id} value={model.id}>
                {model.displayName}
              </option>
            ))}
        </optgroup>
        <optgroup label="Retired">
          {models
            .filter(({ status }) => status === 'retired')
            .map((model) => (
              <option key={model.id} value={model.id}>
                {model.displayName}
              </option>
            ))}
        </optgroup>
      </select>
    </div>
  );
}
