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
}

/** Small button with an icon. The label is its accessible name. */
export function IconButton({ icon, label, variant = 'head', className = '', ...rest }: IconButtonProps) {
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
