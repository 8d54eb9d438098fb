import { type InputHTMLAttributes, useId, useState } from 'react';
import { Icon } from './icon.tsx';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'> {
  /** Also the id of the input, so that a summary of errors can lead to it. */
  name: string;
  label: string;
  hint?: string;
  error?: string | null;
}

/** One line of input with its label, hint and error tied to it. A password can be shown while it is typed. */
export function TextField({ name, label, hint, error, type = 'text', ...rest }: TextFieldProps) {
  const notes = useId();
  const [shown, setShown] = useState(false);
  const secret = type === 'password';
  const described = [hint && `${notes}-hint`, error && `${notes}-error`].filter(Boolean).join(' ');
  return (
    <div className="grid gap-1.5">
      <label htmlFor={name} className="text-small font-medium text-ink">
        {label}
      </label>
      <div className="relative">
        <input
          {...rest}
          id={name}
          name={name}
          type={secret && shown ? 'text' : type}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={`field ${secret ? 'pe-11' : ''}`}
        />
        {secret && (
          <button
            type="button"
            aria-pressed={shown}
            aria-label="Show password"
            onClick={() => setShown(!shown)}
            className={
              'absolute inset-y-1 end-1 grid w-9 place-items-center rounded-control text-ink-faint ' + 'hover:text-ink'
            }
          >
            <Icon name={shown ? 'eye-off' : 'eye'} />
          </button>
        )}
      </div>
      {hint && (
        <p id={`${notes}-hint`} className="text-small text-ink-faint">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${notes}-error`} text={error} />}
    </div>
  );
}

/** What is wrong with a field, below it. */
export const FieldError = ({ id, text }: { id?: string; text: string }) => (
  <p id={id} className="flex gap-1.5 text-small text-loss">
    <span className="pt-0.5">
      <Icon name="warn" size={14} />
    </span>
    {text}
  </p>
);
