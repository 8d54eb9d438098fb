/** Describes the future content of a card without rows. The page's own button is the action. */
export function EmptyCard({ title, text, small = true }: { title: string; text: string; small?: boolean }) {
  return (
    <div data-empty={small || undefined} className="px-4 pb-3.5 sm:px-5">
      {/* Two small cards in one phone row have equal height, whatever their text. */}
      <p className={`font-medium ${small ? 'max-sm:min-h-[2lh]' : ''}`}>{title}</p>
      <p className={`text-small text-ink-soft ${small ? 'max-sm:hidden' : ''}`}>{text}</p>
    </div>
  );
}
