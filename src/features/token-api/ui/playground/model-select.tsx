import { SelectField } from '../../../../ui/kit/select-field.tsx';
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
  const models = listModels().filter((model) => !omitted.includes(model.id));
  const isKnown = models.some((model) => model.id === value);
  return (
    <SelectField label={label} value={value} onChange={(event) => onChange(event.target.value)} className="min-w-0">
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
    </SelectField>
  );
}
