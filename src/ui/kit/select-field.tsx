import { type SelectHTMLAttributes, useId } from 'react';
import { FieldError } from './text-field.tsx';

interface SelectFieldProps extends SelectHTMLAttributes<HTMLSelectElement> {
  label: string;
  error?: string | null;
  /** Class of the field with its label. */
  className?: string;
}

/** Select with label and error. Its id is its name unless it has another one, since an error summary links to the id. */
export function SelectField({ label, error, className = '', children, ...rest }: SelectFieldProps) {
  const ownId = useId();
  const id = rest.id ?? rest.name ?? ownId;
  return (
    <div className={`grid gap-1.5 ${className}`}>
      <label htmlFor={id} className="text-small font-medium">
        {label}
      </label>
      <select
        {...rest}
        id={id}
        className="field"
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-problem` : undefined}
      >
        {children}
      </select>
      {error && <FieldError id={`${id}-problem`} text={error} />}
    </div>
  );
}
