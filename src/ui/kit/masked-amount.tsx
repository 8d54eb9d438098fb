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
      {/* Generated, so that the mask is not part of a button's text, which its name must contain. */}
      <span
        aria-hidden="true"
        data-mask={mask}
        className="inline-block select-none blur-[0.375rem] before:content-[attr(data-mask)]"
      />
      <span className="sr-only">hidden</span>
    </>
  );
}
