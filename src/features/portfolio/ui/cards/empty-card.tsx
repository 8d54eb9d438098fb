/** What a card without rows says: what will stand here. The page's own button is the way to it. */
export function EmptyCard({ title, text, small = true }: { title: string; text: string; small?: boolean }) {
  return (
    <div data-empty={small || undefined} className="px-4 pb-3.5 sm:px-5">
      {/* Two small ones share a line of a phone: one is as high as the other, whatever they say. */}
      <p className={`font-medium ${small ? 'max-sm:min-h-[2lh]' : ''}`}>{title}</p>
      <p className={`text-small text-ink-soft ${small ? 'max-sm:hidden' : ''}`}>{text}</p>
    </div>
  );
}
