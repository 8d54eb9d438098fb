import { useId } from 'react';
import { SelectField } from '../../../../ui/kit/select-field.tsx';
import { describeModel, EFFORTS } from '../../../../../packages/token-counter/src/index.ts';
import type { BuildableRequest } from './request-edits.ts';

const DEFAULT_BUDGET = 4_096;

const TYPES = [
  { type: 'disabled', label: 'Off' },
  { type: 'between_tools', label: 'Off, with updates between tools' },
  { type: 'enabled', label: 'On, with a budget' },
  { type: 'adaptive', label: 'Adaptive' },
] as const;

const EFFORT_LABELS = { low: 'Low', medium: 'Medium', high: 'High', xhigh: 'Extra high', max: 'Maximum' } as const;

interface ThinkingFieldsProps {
  /** Model of the request. What it is published not to have is not offered. */
  model: string;
  thinking: BuildableRequest['thinking'];
  outputConfig: BuildableRequest['output_config'];
  onThinkingChange: (thinking: BuildableRequest['thinking']) => void;
  onOutputConfigChange: (outputConfig: BuildableRequest['output_config']) => void;
}

/** Fields of extended thinking with its budget of tokens, and of the effort. */
export function ThinkingFields({
  model,
  thinking,
  outputConfig,
  onThinkingChange,
  onOutputConfigChange,
}: ThinkingFieldsProps) {
  const budgetId = useId();
  const facts = describeModel(model);
  const type = typeof thinking?.type === 'string' ? thinking.type : '';
  const budget = typeof thinking?.budget_tokens === 'number' ? String(thinking.budget_tokens) : '';
  const effort = typeof outputConfig?.effort === 'string' ? outputConfig.effort : '';
  const efforts = facts?.efforts ?? EFFORTS;

  function changeType(next: string): void {
    if (next === '') onThinkingChange(undefined);
    else onThinkingChange(next === 'enabled' ? { type: next, budget_tokens: DEFAULT_BUDGET } : { type: next });
  }
  function changeEffort(next: string): void {
    const { effort: _, ...others } = outputConfig ?? {};
    if (next !== '') onOutputConfigChange({ ...others, effort: next });
    else onOutputConfigChange(Object.keys(others).length > 0 ? others : undefined);
  }

  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <SettingSelect
        label="Extended thinking"
        value={type}
        options={TYPES.filter((each) => facts?.thinking[each.type] !== false).map((each) => [each.type, each.label])}
        onChange={changeType}
      />
      {type === 'enabled' && (
        <div className="grid gap-1.5">
          <label htmlFor={budgetId} className="text-small font-medium">
            Budget in tokens
          </label>
          <input
            id={budgetId}
            type="number"
            min={1024}
            step={1}
            value={budget}
            className="field"
            onChange={(event) => onThinkingChange({ ...thinking, budget_tokens: Number(event.target.value) })}
          />
        </div>
      )}
      {(efforts.length > 0 || effort !== '') && (
        <SettingSelect
          label="Effort"
          value={effort}
          options={efforts.map((each) => [each, EFFORT_LABELS[each]])}
          onChange={changeEffort}
        />
      )}
    </div>
  );
}

interface SettingSelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}

/** Select of a setting that may be left to the model. A value that is not offered has its own option. */
function SettingSelect({ label, value, options, onChange }: SettingSelectProps) {
  const isOffered = value === '' || options.some(([each]) => each === value);
  return (
    <SelectField
      label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="min-w-0 content-start"
    >
      <option value="">Default of the model</option>
      {!isOffered && <option value={value}>{value}</option>}
      {options.map(([each, text]) => (
        <option key={each} value={each}>
          {text}
        </option>
      ))}
    </SelectField>
  );
}
