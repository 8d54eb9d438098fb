import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readStored, writeStored } from '../../../../ui/kit/browser-storage.ts';
import { Icon, type IconName } from '../../../../ui/kit/icon.tsx';
import { useStore } from '../../../../ui/kit/use-store.ts';
import { useConnectionKinds } from '../../../../ui/shell/connections/use-connection-kinds.ts';
import type { CardProps } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { useDemoAccount } from '../../../../ui/shell/session/demo-account.ts';
import { demoTour, setDemoTour } from '../../../../ui/shell/session/demo-tour.ts';
import { useIsSampleUser } from '../../../../ui/shell/session/sample-user.ts';
import { useMember } from '../../../../ui/shell/session/session.ts';
import { portfolioHoldingsQuery } from '../../holdings/ui/holdings-queries.ts';
import { netWorthQuery } from '../../net-worth/ui/net-worth-queries.ts';
import { ImportHoldings } from '../../import/ui/import-holdings.tsx';

interface FirstRun {
  /** Whether the member has neither accounts nor holdings, and has not put the first steps off. */
  isShown: boolean;
  putOff: () => void;
}

/** Returns whether the first steps are shown. Reads the answers of the cards and sends no request. */
export function useFirstRun(): FirstRun {
  const key = `tally.first-run.1.${useMember()?.userId ?? ''}`;
  const [isPutOff, setPutOff] = useState(() => readStored(key) === '1');
  const isSample = useIsSampleUser();
  const netWorth = useQuery({ ...netWorthQuery, enabled: false });
  const holdings = useQuery({ ...portfolioHoldingsQuery, enabled: false });
  const isEmpty = netWorth.data?.currencies.length === 0 && holdings.data?.holdings.length === 0;
  return {
    isShown: isEmpty && !isPutOff && !isSample,
    putOff() {
      writeStored(key, '1');
      setPutOff(true);
    },
  };
}

interface FirstRunCardProps extends Pick<CardProps, 'onConnect' | 'onAddInvestment'> {
  hasWatchlist: boolean;
  onPutOff: () => void;
}

/** Shows the ways to fill an empty account. The watchlist's own picks follow below. */
export function FirstRunCard({ hasWatchlist, onConnect, onAddInvestment, onPutOff }: FirstRunCardProps) {
  const canConnect = useDemoAccount() === null;
  const { data: kinds } = useConnectionKinds();
  const isTourRunning = useStore(demoTour);
  return (
    <section aria-labelledby="first-run" className="card px-2 pt-3 pb-1 sm:px-3 sm:pt-4 sm:pb-2">
      <h2 id="first-run" className="px-2 text-lead font-semibold tracking-tight">
        Add what you own
      </h2>
      <ul className="mt-1 grid sm:grid-cols-2 sm:gap-2 lg:grid-cols-3">
        {canConnect && kinds?.offers.length !== 0 && (
          <Way
            icon="bank"
            title="Connect an institution"
            text="Balances and holdings update by themselves."
            onClick={onConnect}
          />
        )}
        <Way
          icon="pencil"
          title="Add by hand"
          text="Search a security, enter the quantity."
          onClick={onAddInvestment}
        />
        <li>
          <ImportHoldings privacy={false} className={wayClass}>
            <WayContent icon="import" title="Import a file" text="An export of your broker, or a template." />
          </ImportHoldings>
        </li>
      </ul>
      <p className="mt-1 flex flex-wrap justify-end gap-x-4 border-t border-line px-2">
        {hasWatchlist && !isTourRunning && (
          <button type="button" className="link min-h-9 text-small" onClick={() => setDemoTour(true)}>
            See a sample watchlist
          </button>
        )}
        <button
          type="button"
          className="link min-h-9 text-small"
          onClick={() => {
            // The button disappears with the card.
            document.getElementById('main')?.focus({ preventScroll: true });
            onPutOff();
          }}
        >
          Not now
        </button>
      </p>
    </section>
  );
}

const wayClass = 'flex min-h-14 w-full items-center gap-3 rounded-control px-2 text-start hover:bg-sunken';

interface WayContentProps {
  icon: IconName;
  title: string;
  text: string;
}

const Way = ({ onClick, ...content }: WayContentProps & { onClick: () => void }) => (
  <li>
    <button type="button" className={wayClass} onClick={onClick}>
      <WayContent {...content} />
    </button>
  </li>
);

const WayContent = ({ icon, title, text }: WayContentProps) => (
  <>
    <span className="grid size-9 shrink-0 place-items-center rounded-control bg-accent-soft text-accent">
      <Icon name={icon} />
    </span>
    <span className="min-w-0 flex-1">
      <span className="block font-medium">{title}</span>
      <span className="block text-small text-ink-soft">{text}</span>
    </span>
    <span className="text-ink-faint">
      <Icon name="arrow" />
    </span>
  </>
);
