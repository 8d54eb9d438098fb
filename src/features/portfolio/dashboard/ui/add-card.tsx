import type { DashboardResponse } from '../contract.ts';
import type { CardProps, DashboardCard } from './shared/dashboard-card.ts';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import { useLayoutEditor } from './use-layout-editor.ts';

export interface AddCardProps {
  layout: DashboardResponse;
  /** All cards of the features. */
  cards: readonly DashboardCard[];
  cardProps: CardProps;
  /** Announces a change to screen readers. */
  onAnnounce: (text: string) => void;
  onClose: () => void;
}

/** Shows the cards that are not on Home, each with a preview. */
export default function AddCard({ layout, cards, cardProps, onAnnounce, onClose }: AddCardProps) {
  const findCards = (entries: DashboardResponse['cards']): DashboardCard[] =>
    entries.flatMap(({ id }) => cards.find((card) => card.id === id) ?? []);
  const removedCards = findCards(layout.removed);
  const { restore } = useLayoutEditor(findCards(layout.cards), onAnnounce);
  return (
    <Dialog title="Add card" className="w-[min(44rem,calc(100vw-2rem))]" onClose={onClose}>
      {removedCards.length === 0 ? (
        <p className="mt-2 text-ink-soft">All cards are on Home. Cards you remove appear here.</p>
      ) : (
        <ul aria-label="Removed cards" className="mt-4 grid gap-4 sm:grid-cols-2">
          {removedCards.map((card) => (
            <li key={card.id} className="grid content-start gap-2">
              <CardPreview card={card} cardProps={cardProps} />
              <div className="flex items-center justify-between gap-3">
                <div className="min-w-0">
                  <h3 className="font-semibold">{card.title}</h3>
                  <p className="text-small text-ink-soft">{card.description}</p>
                </div>
                <Button
                  variant="primary"
                  aria-label={`Add ${card.title}`}
                  onClick={(event) => {
                    // The row disappears with its button. The next button has the focus, or the close button after the
                    // last row.
                    const buttons = [...(event.currentTarget.closest('dialog')?.querySelectorAll('button') ?? [])];
                    buttons[buttons.indexOf(event.currentTarget) + 1]?.focus();
                    restore(card);
                  }}
                >
                  Add
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-5 flex justify-end">
        <Button onClick={onClose}>Done</Button>
      </div>
    </Dialog>
  );
}

/** Shows a smaller card with the member's own data, inert for pointer, keyboard and screen reader. */
function CardPreview({ card: { Content, Preview }, cardProps }: { card: DashboardCard; cardProps: CardProps }) {
  return (
    <div inert aria-hidden="true" className="h-52 overflow-hidden rounded-card border border-line bg-surface">
      <div className="w-[166.67%] origin-top-left scale-60">{Preview ? <Preview /> : <Content {...cardProps} />}</div>
    </div>
  );
}
