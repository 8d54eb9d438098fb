import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { CardProps } from './shared/dashboard-card.ts';
import { navigate, useSearchParams } from '../../../../ui/shell/navigation/location.ts';
import { privacyMode } from '../../../../ui/shell/session/privacy-mode.ts';
import type { DeferredQueryResult } from '../../../../ui/kit/use-deferred-query.ts';
import type { DashboardResponse } from '../contract.ts';
import { useStore } from '../../../../ui/kit/use-store.ts';
import { DashboardBody } from './dashboard-body.tsx';
import { DashboardDialogs, type OpenDialog } from './dashboard-dialogs.tsx';
import type { DashboardFeatures, WatchlistSummary } from './dashboard-features.ts';
import { lazyCardDragHandle } from './lazy-components.ts';
import { PageActions } from './page-actions.tsx';
import { SampleDataBadge } from './sample-data-badge.tsx';
import { SignInNotice } from './sign-in-notice.tsx';
import { usePortfolioPresence } from './use-portfolio-presence.ts';

export interface DashboardProps {
  layout: DeferredQueryResult<DashboardResponse>;
  watchlistSummary: WatchlistSummary;
  features: DashboardFeatures;
}

/** Shows the cards in the member's order with their actions. */
export function Dashboard({ layout, watchlistSummary, features }: DashboardProps) {
  const { data } = layout;
  const [isArranging, setIsArranging] = useState(false);
  const [openDialog, setOpenDialog] = useState<OpenDialog>(null);
  const [announcement, setAnnouncement] = useState('');
  const shownCards = useMemo(
    () => data?.cards.flatMap(({ id }) => features.cards.find((card) => card.id === id) ?? []),
    [data, features],
  );
  const ids = shownCards?.map(({ id }) => id);
  const presence = usePortfolioPresence(ids, watchlistSummary);
  const arrange = useCallback((isOn: boolean): void => {
    void lazyCardDragHandle.load().then(() => setIsArranging(isOn));
  }, []);
  useRequestedDialog(setOpenDialog, arrange);
  const cardProps = useCardProps({ features, watchlistSummary, presence, setOpenDialog });
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-0.5 gap-y-1.5 sm:mb-6 sm:gap-x-2">
        <div className="flex flex-1 items-center gap-x-2 sm:gap-x-3">
          <h1 className="text-title font-semibold tracking-tight">Home</h1>
          <SampleDataBadge isWatchlistSample={watchlistSummary.isSample} />
        </div>
        <PageActions
          isArranging={isArranging}
          hasRemovedCards={data !== undefined && data.removed.length > 0}
          onArrange={() => arrange(!isArranging)}
          onAddCard={() => setOpenDialog({ dialog: 'card' })}
          onAddInvestment={() => setOpenDialog({ dialog: 'investment', preset: null })}
        />
      </div>
      <p role="status" className="sr-only">
        {layout.isPending || watchlistSummary.isPending ? 'Loading Home' : announcement}
      </p>
      <SignInNotice onRepair={(repair) => setOpenDialog({ dialog: 'connect', repair })} />
      <DashboardDialogs
        open={openDialog}
        features={features}
        layout={data}
        cardProps={cardProps}
        onAnnounce={setAnnouncement}
        onClose={() => setOpenDialog(null)}
      />
      <DashboardBody
        defaultCards={features.cards}
        layout={layout}
        shown={shownCards}
        presence={presence}
        isRowPending={watchlistSummary.isPending}
        isArranging={isArranging}
        cardProps={cardProps}
        onAnnounce={setAnnouncement}
        onAddCard={() => setOpenDialog({ dialog: 'card' })}
      />
    </>
  );
}

/** Opens what `?open=investment|connect|card|arrange` asks for and removes the request from the address. */
function useRequestedDialog(setOpenDialog: (openDialog: OpenDialog) => void, arrange: (isOn: boolean) => void): void {
  const search = useSearchParams();
  const requested = search.get('open');
  useEffect(() => {
    if (requested === null) return;
    const symbol = search.get('security');
    if (requested === 'investment')
      setOpenDialog({ dialog: 'investment', preset: symbol ? { symbol, name: null } : null });
    if (requested === 'connect' || requested === 'card') setOpenDialog({ dialog: requested });
    if (requested === 'arrange') arrange(true);
    navigate('/dashboard', { replace: true, keepScroll: true });
    // oxlint-disable-next-line react/exhaustive-deps
  }, [requested]);
}

interface CardPropsInput {
  features: DashboardFeatures;
  watchlistSummary: WatchlistSummary;
  presence: CardProps['presence'] | undefined;
  setOpenDialog: (openDialog: OpenDialog) => void;
}

/** Returns the props of each card. The object is stable while its values are, so that no card renders again. */
function useCardProps({ features, watchlistSummary, presence, setOpenDialog }: CardPropsInput): CardProps {
  const queries = useQueryClient();
  const privacy = useStore(privacyMode);
  const hasWatchlist = watchlistSummary.count > 0;
  const { captureEvent } = features;
  return useMemo(
    () => ({
      privacy,
      hasWatchlist,
      presence: presence ?? fullPresence,
      onConnect: () => setOpenDialog({ dialog: 'connect' }),
      onAddInvestment: () => setOpenDialog({ dialog: 'investment', preset: null }),
      onEvent: (event, properties) => captureEvent(queries, event, properties),
    }),
    [privacy, hasWatchlist, presence, setOpenDialog, captureEvent, queries],
  );
}

const fullPresence = { netWorth: true, holdings: true, heldOrWatched: true };
