import type { ReactNode } from 'react';

interface MaskedAmountProps {
  /** In privacy mode the figure is not drawn at all: what is blurred is another one, the same for everybody. */
  hidden: boolean;
  /** What stands blurred in its place. */
  mask?: string;
  children: ReactNode;
}

/** An amount of the member's own. Hidden it is blurred, cannot be selected, and screen readers hear "hidden". */
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
