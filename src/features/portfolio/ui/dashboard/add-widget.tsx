import type { CardId, DashboardResponse } from '../../dashboard/contract.ts';
import { firstChoices } from '../../../watchlist/ui/card/view-choices.ts';
import { WatchRows } from '../../../watchlist/ui/card/watch-rows.tsx';
import { useWatchlist } from '../../../watchlist/ui/list/watchlist-query.ts';
import type { CardProps } from '../cards/card-shell.tsx';
import { Button } from '../../../../ui/kit/button.tsx';
import { Dialog } from '../../../../ui/kit/dialog.tsx';
import { cardNames, InvestmentCard } from './card-screens.tsx';
import { useArrange } from './use-arrange.ts';
import { CardPlace } from './waiting-cards.tsx';

export interface AddWidgetProps {
  layout: DashboardResponse;
  cardProps: CardProps;
  /** Takes what was done, for screen readers. */
  onSay: (what: string) => void;
  onClose: () => void;
}

const about: Readonly<Record<CardId, string>> = {
  net_worth: 'Cash and investments together, day by day.',
  holdings: 'What you own, the most valuable first.',
  earnings: 'Who reports next, of what you own and watch.',
  news: 'The newest articles about your companies.',
  watchlist: 'Tickers that you follow without owning them.',
};

/** The cards that are not on the dashboard, each as it would look there. */
export default function AddWidget({ layout, cardProps, onSay, onClose }: AddWidgetProps) {
  const shown = layout.cards.map(({ id }) => id);
  const { restore } = useArrange(shown, onSay);
  return (
    <Dialog title="Add widget" className="w-[min(44rem,calc(100vw-2rem))]" onClose={onClose}>
      {layout.removed.length === 0 ? (
        <p className="mt-2 text-ink-soft">
          Every card is on your dashboard. Remove one under “Arrange”, and it can be found here again.
        </p>
      ) : (
        <ul aria-label="Removed cards" className="mt-4 grid gap-4 sm:grid-cols-2">
          {layout.removed.map(({ id }) => (
            <li key={id} className="grid content-start gap-2">
              <CardPreview id={id} cardProps={cardProps} />
              <div className="flex items-center justify-between gap-3">
                <div className="min-w-0">
                  <h3 className="font-semibold">{cardNames[id]}</h3>
                  <p className="text-small text-ink-soft">{about[id]}</p>
                </div>
                <Button
                  look="primary"
                  aria-label={`Add ${cardNames[id]}`}
                  onClick={(event) => {
                    // The row goes away with its button: the next one, else the way out, has the focus.
                    const buttons = [...(event.currentTarget.closest('dialog')?.querySelectorAll('button') ?? [])];
                    buttons[buttons.indexOf(event.currentTarget) + 1]?.focus();
                    restore(id);
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

/** A card with the member's own data, smaller, and out of reach of pointer, keyboard and screen reader. */
function CardPreview({ id, cardProps }: { id: CardId; cardProps: CardProps }) {
  return (
    <div inert aria-hidden="true" className="h-52 overflow-hidden rounded-card border border-line bg-surface">
      <div className="w-[166.67%] origin-top-left scale-60">
        {id === 'watchlist' ? <WatchlistPreview /> : <InvestmentCard id={id} {...cardProps} />}
      </div>
    </div>
  );
}

/** The watchlist as it would stand on the dashboard: always in My order with Day %, whatever was chosen there. */
function WatchlistPreview() {
  const { data: list } = useWatchlist();
  if (!list) return <CardPlace />;
  return (
    <section className="card min-h-106 overflow-hidden">
      <p className="flex min-h-12 items-center px-4 pt-1 text-lead font-semibold tracking-tight sm:px-5">Watchlist</p>
      {list.item_count === 0 ? (
        <p className="px-4 text-title font-semibold sm:px-5">Start your watchlist</p>
      ) : (
        <WatchRows list={list} choices={firstChoices} onChoose={() => undefined} reports={undefined} />
      )}
    </section>
  );
}
