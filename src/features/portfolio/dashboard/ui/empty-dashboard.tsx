import { Button } from '../../../../ui/kit/button.tsx';
import { LogoMark } from '../../../../ui/shell/layout/logo.tsx';

/** Placeholder of a card behind the grid. */
const placeholderClass = 'rounded-card border border-dashed border-line-strong opacity-55';

/** Shows a dashboard without cards: placeholders, and the button that restores cards. */
export default function EmptyDashboard({ onAddCard }: { onAddCard: () => void }) {
  return (
    <div className="relative">
      <div className="grid grid-cols-1 gap-5 lg:grid-cols-3" aria-hidden="true">
        <span className={`${placeholderClass} h-72 lg:col-span-2`} />
        <span className={`${placeholderClass} hidden h-72 lg:block`} />
        <span className={`${placeholderClass} hidden h-44 lg:block`} />
        <span className={`${placeholderClass} h-44 lg:col-span-2`} />
      </div>
      <div className="absolute inset-0 grid place-items-center p-4">
        <div className="card grid max-w-md justify-items-start gap-3 p-6 shadow-raised">
          <LogoMark size={32} />
          <h2 className="text-title font-semibold tracking-tight">Home is empty</h2>
          <p className="text-ink-soft">You removed all cards. Add them again at any time; no data is lost.</p>
          <Button variant="primary" className="mt-1" onClick={onAddCard}>
            Add card
          </Button>
        </div>
      </div>
    </div>
  );
}
