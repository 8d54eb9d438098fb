import type { ReactNode } from 'react';

interface EmptyCardProps {
  title: string;
  text: string;
  small?: boolean;
  /** Action in place of the text on phones, where the header of a small card has no room for it. */
  phoneAction?: ReactNode;
}

/** Describes the future content of a card without rows. The page's own button is the action. */
export function EmptyCard({ title, text, small = true, phoneAction }: EmptyCardProps) {
  return (
    <div data-empty={small || undefined} className="px-4 pb-3.5 sm:px-5">
      {/* Two small cards in one phone row have equal height, whatever their text. */}
      <div className={`font-medium ${small ? 'max-sm:min-h-[2lh]' : ''}`}>
        <p>{title}</p>
        {phoneAction}
      </div>
      <p className={`text-small text-ink-soft ${small ? 'max-sm:hidden' : ''}`}>{text}</p>
    </div>
  );
}
