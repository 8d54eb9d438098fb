import { useId, useState } from 'react';
import { FieldError } from '../../../../ui/kit/text-field.tsx';
import { parseJsonField } from './parse-json-field.ts';

interface JsonFieldProps<Value> {
  label: string;
  value: Value;
  rows: number;
  isAllowed: (value: unknown) => value is Value;
  /** Message for valid JSON of another kind. */
  notAllowed: string;
  onChange: (value: Value) => void;
}

/** Field of a JSON value. A text that is not valid stays in the field and changes nothing. */
export function JsonField<Value>({ label, value, rows, isAllowed, notAllowed, onChange }: JsonFieldProps<Value>) {
  const id = useId();
  const external = JSON.stringify(value);
  const [draft, setDraft] = useState({ text: JSON.stringify(value, null, 2), committed: external });
  // The value was changed elsewhere, for example in the other view.
  const text = draft.committed === external ? draft.text : JSON.stringify(value, null, 2);
  const problem = parseJsonField(text, isAllowed, notAllowed);

  function change(next: string): void {
    const parsed = parseJsonField(next, isAllowed, notAllowed);
    if (!parsed.ok) return setDraft({ text: next, committed: external });
    setDraft({ text: next, committed: JSON.stringify(parsed.value) });
    onChange(parsed.value);
  }

  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="text-small font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={rows}
        wrap="off"
        spellCheck={false}
        value={text}
        aria-invalid={problem.ok ? undefined : true}
        aria-describedby={problem.ok ? undefined : `${id}-error`}
        className="field block resize-y py-2 font-mono"
        onChange={(event) => change(event.target.value)}
      />
      {!problem.ok && <FieldError id={`${id}-error`} text={`${problem.message} The last valid text is counted.`} />}
    </div>
  );
}
