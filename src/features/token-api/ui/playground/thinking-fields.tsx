import { useId } from 'react';
import type { BuildableRequest } from './request-edits.ts';

const DEFAULT_BUDGET = 4_096;

const TYPES = [
  { type: '', label: 'Off' },
  { type: 'enabled', label: 'On, with a budget' },
  { type: 'adaptive', label: 'Adaptive' },
] as const;

interface ThinkingFieldsProps {
  thinking: BuildableRequest['thinking'];
  onChange: (thinking: BuildableRequest['thinking']) => void;
}

/** Fields of extended thinking: off, on with a budget of tokens, or adaptive. */
export function ThinkingFields({ thinking, onChange }: ThinkingFieldsProps) {
  const id = useId();
  const type = typeof thinking?.type === 'string' ? thinking.type : '';
  const isListed = TYPES.some((each) => each.type === type);
  const budget = typeof thinking?.budget_tokens === 'number' ? String(thinking.budget_tokens) : '';

  function changeType(next: string): void {
    if (next === '') onChange(undefined);
    else onChange(next === 'enabled' ? { type: next, budget_tokens: DEFAULT_BUDGET } : { type: next });
  }

  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <div className="grid gap-1.5">
        <label htmlFor={`${id}-type`} className="text-small font-medium">
          Extended thinking
        </label>
        <select id={`${id}-type`} value={type} className="field" onChange={(event) => changeType(event.target.value)}>
          {!isListed && <option value={type}>{type}</option>}
          {TYPES.map((each) => (
            <option key={each.type} value={each.type}>
              {each.label}
            </option>
          ))}
        </select>
      </div>
      {type === 'enabled' && (
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-budget`} className="text-small font-medium">
            Budget in tokens
          </label>
          <input
            id={`${id}-budget`}
            type="number"
            min={1024}
            step={1}
            value={budget}
            className="field"
            onChange={(event) => onChange({ ...thinking, budget_tokens: Number(event.target.value) })}
          />
        </div>
      )}
    </div>
  );
}
