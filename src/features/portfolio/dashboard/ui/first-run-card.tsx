import { useQuery } from '@tanstack/react-query';
import { Link } from '../../../../ui/shell/navigation/link.tsx';
import { portfolioHoldingsQuery } from '../../holdings/ui/holdings-queries.ts';
import type { CardProps } from './shared/dashboard-card.ts';
import { WaysToAdd } from './ways-to-add.tsx';

/** `empty`: neither accounts nor holdings. `first-holding`: this browser saw the account empty, and now it has a holding. */
export type FirstRunStage = 'empty' | 'first-holding';

export interface FirstRunCardProps extends Pick<CardProps, 'onConnect' | 'onAddInvestment'> {
  /** Whether the account is still empty, or has its first holding. */
  stage: FirstRunStage;
  hasWatchlist: boolean;
  onClose: () => void;
}

interface Texts {
  title: string;
  intro: string | null;
  close: string;
}

/** Returns the texts of the stage. An institution and a file bring several first holdings. */
function getTexts(stage: FirstRunStage, count: number): Texts {
  if (stage === 'empty') return { title: 'Add what you own', intro: null, close: 'Not now' };
  const next = 'valued from now on, and each day becomes a point of your chart. What comes next:';
  return count === 1
    ? { title: 'Your first holding is in', intro: `It is ${next}`, close: 'Done' }
    : { title: `Your first ${count} holdings are in`, intro: `They are ${next}`, close: 'Done' };
}

/** Shows the ways to fill an empty account, or once what comes after the first holding. */
export default function FirstRunCard({ stage, hasWatchlist, onClose, ...ways }: FirstRunCardProps) {
  const count = useQuery({ ...portfolioHoldingsQuery, enabled: false }).data?.holdings.length ?? 0;
  const { title, intro, close } = getTexts(stage, count);
  return (
    <section aria-labelledby="first-run" className="card px-2 pt-3 pb-1 sm:px-3 sm:pt-4 sm:pb-2">
      <h2 id="first-run" className="px-2 text-lead font-semibold tracking-tight">
        {title}
      </h2>
      {intro !== null && <p className="px-2 text-small text-ink-soft">{intro}</p>}
      <WaysToAdd {...ways} />
      <p className="mt-1 flex flex-wrap justify-end gap-x-4 border-t border-line px-2">
        {stage === 'first-holding' && hasWatchlist && (
          <Link href="/watchlist" className="link inline-flex min-h-9 items-center text-small">
            Follow securities on your watchlist
          </Link>
        )}
        <button
          type="button"
          className="link min-h-9 text-small"
          onClick={() => {
            // The button disappears with the card.
            document.getElementById('main')?.focus({ preventScroll: true });
            onClose();
          }}
        >
          {close}
        </button>
      </p>
    </section>
  );
}
