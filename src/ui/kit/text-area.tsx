import type { TextareaHTMLAttributes } from 'react';

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'className'> {
  name: string;
  label: string;
}

/** Multi-line input with its label. */
export function TextArea({ name, label, ...rest }: TextAreaProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={name} className="text-small font-medium text-ink">
        {label}
      </label>
      <textarea {...rest} id={name} name={name} className="field block resize-y py-2" />
    </div>
  );
}
