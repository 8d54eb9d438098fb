import { type InputHTMLAttributes, useId, useState } from 'react';
import { Icon } from './icon.tsx';

interface TextFieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'> {
  /** Name and id of the input. An error summary links to the id. */
  name: string;
  label: string;
  hint?: string;
  error?: string | null;
}

/** Single-line input with label, hint and error. A password can be shown while it is typed. */
export function TextField({ name, label, hint, error, type = 'text', ...rest }: TextFieldProps) {
  const noteId = useId();
  const [isShown, setIsShown] = useState(false);
  const isSecret = type === 'password';
  const descriptionIds = [hint && `${noteId}-hint`, error && `${noteId}-error`].filter(Boolean).join(' ');
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
          type={isSecret && isShown ? 'text' : type}
          aria-invalid={error ? true : undefined}
          aria-describedby={descriptionIds || undefined}
          className={`field ${isSecret ? 'pe-12' : ''}`}
        />
        {isSecret && (
          <button
            type="button"
            aria-pressed={isShown}
            aria-label="Show password"
            onClick={() => setIsShown(!isShown)}
            className={
              'absolute inset-y-1 end-1 grid w-9 place-items-center rounded-control text-ink-faint ' + 'hover:text-ink'
            }
          >
            <Icon name={isShown ? 'eye-off' : 'eye'} />
          </button>
        )}
      </div>
      {hint && (
        <p id={`${noteId}-hint`} className="text-small text-ink-faint">
          {hint}
        </p>
      )}
      {error && <FieldError id={`${noteId}-error`} text={error} />}
    </div>
  );
}

/** Shows the error of a field below the field. */
export const FieldError = ({ id, text }: { id?: string; text: string }) => (
  <p id={id} className="flex gap-1.5 text-small text-loss">
    <span className="pt-0.5">
      <Icon name="warn" size={14} />
    </span>
    {text}
  </p>
);
