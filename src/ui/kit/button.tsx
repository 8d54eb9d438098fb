import type { ButtonHTMLAttributes, ReactNode } from 'react';
import { Spinner } from './spinner.tsx';

const baseClass =
  'inline-flex min-h-9 items-center justify-center gap-2 rounded-control px-3 text-body ' +
  'font-medium whitespace-nowrap select-none transition-colors duration-100 touch-manipulation ' +
  'disabled:cursor-not-allowed disabled:opacity-60';

const variantClasses = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong',
  plain: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  quiet: 'text-ink-soft hover:bg-sunken hover:text-ink',
  danger: 'border border-line-strong bg-surface text-loss hover:bg-loss-soft',
} as const;

type ButtonVariant = keyof typeof variantClasses;

/** Returns the classes of a button, for links that look like a button. */
export function getButtonClass(variant: ButtonVariant = 'plain', extraClass = ''): string {
  return `${baseClass} ${variantClasses[variant]} ${extraClass}`;
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: ButtonVariant;
  /** While true, the button keeps its place and focus, announces its state, and ignores presses. */
  pending?: boolean;
  children: ReactNode;
}

/** Button that keeps the focus while pending: it uses `aria-disabled` instead of `disabled`. */
export function Button({
  variant = 'plain',
  pending = false,
  className = '',
  onClick,
  type = 'button',
  children,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      className={getButtonClass(variant, `${className} aria-disabled:cursor-progress aria-disabled:opacity-70`)}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {pending && <Spinner />}
      {children}
    </button>
  );
}
