import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** Classes for a card or panel header, for a row, and for the remove button of a row. */
const variantClasses = {
  head: 'size-9 text-ink-soft hover:bg-sunken hover:text-ink',
  row: 'size-8 shrink-0 text-ink-faint hover:bg-sunken hover:text-ink',
  remove: 'size-8 shrink-0 text-ink-faint hover:bg-loss-soft hover:text-loss',
} as const;

export interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName;
  label: string;
  variant?: keyof typeof variantClasses;
  /** Whether the label stands beside the icon. */
  showsLabel?: boolean;
}

/** Small button with an icon. The label is its accessible name. */
export function IconButton({
  icon,
  label,
  variant = 'head',
  showsLabel = false,
  className = '',
  ...rest
}: IconButtonProps) {
  if (showsLabel)
    return (
      <button
        type="button"
        className={
          'flex min-h-9 items-center gap-2 rounded-control border border-line px-3 text-small font-medium ' +
          `text-ink-soft hover:bg-sunken hover:text-ink ${className}`
        }
        {...rest}
      >
        <Icon name={icon} size={14} />
        {label}
      </button>
    );
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`grid place-items-center rounded-control ${variantClasses[variant]} ${className}`}
      {...rest}
    >
      <Icon name={icon} size={variant === 'head' ? 16 : 14} />
    </button>
  );
}
