import type { ReactNode } from 'react';

interface MaskedAmountProps {
  /** In privacy mode the figure is not rendered. The blurred text is a constant, identical for every member. */
  hidden: boolean;
  /** Text that is blurred instead of the figure. */
  mask?: string;
  children: ReactNode;
}

/**
 * Shows an amount of the member. A hidden amount is blurred, cannot be selected, and is read as "hidden" by screen
 * readers.
 */
export function MaskedAmount({ hidden, mask = '$88,888', children }: MaskedAmountProps) {
  if (!hidden) return children;
  return (
    <>
      <span aria-hidden="true" className="inline-block select-none blur-[0.375rem]">
        {mask}
      </span>
      <span className="sr-only">hidden</span>
    </>
  );
}
