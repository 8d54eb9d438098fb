import type { ComponentProps } from 'react';
import { Icon, type IconName } from './icon.tsx';

/** In the head of a card or panel, in a row, and in a row where it takes the row away. */
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

/** A small button that shows a drawing and is called by its label. */
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
