import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { AssistantQuestion, BoughtSecurity, CardProps } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { privacyMode } from '../../../../ui/shell/session/privacy-mode.ts';
import type { DeferredQueryResult } from '../../../../ui/kit/use-deferred-query.ts';
import type { DashboardResponse } from '../../dashboard/contract.ts';
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
  const [assistantQuestion, setAssistantQuestion] = useState<AssistantQuestion | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const shownCards = useMemo(
    () => data?.cards.flatMap(({ id }) => features.cards.find((card) => card.id === id) ?? []),
    [data, features],
  );
  const ids = shownCards?.map(({ id }) => id);
  const presence = usePortfolioPresence(ids, watchlistSummary);
  const { openAssistant } = features;
  const askAssistant = useCallback(
    (question: AssistantQuestion | null): void => {
      setAssistantQuestion(question);
      openAssistant();
    },
    [openAssistant],
  );
  const cardProps = useCardProps({ features, watchlistSummary, presence, askAssistant, setOpenDialog });
  const { privacy } = cardProps;
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-2 gap-y-1.5 sm:mb-6">
        <div className="flex flex-1 flex-wrap items-center gap-x-3">
          <h1 className="text-title font-semibold tracking-tight">Dashboard</h1>
          <SampleDataBadge isWatchlistSample={watchlistSummary.isSample} />
        </div>
        <PageActions
          isArranging={isArranging}
          preloadAssistant={features.preloadAssistant}
          onArrange={() => {
            void lazyCardDragHandle.load().then(() => setIsArranging(!isArranging));
          }}
          onAddWidget={() => setOpenDialog({ dialog: 'widget' })}
          onAddInvestment={() => setOpenDialog({ dialog: 'investment', preset: null })}
          onAsk={() => askAssistant(null)}
        />
      </div>
      <p role="status" className="sr-only">
        {layout.isPending || watchlistSummary.isPending ? 'Loading your dashboard' : announcement}
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
      <features.Panels
        privacy={privacy}
        assistantQuestion={assistantQuestion}
        onBought={cardProps.onBought}
        onAsk={askAssistant}
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
        onAddWidget={() => setOpenDialog({ dialog: 'widget' })}
      />
    </>
  );
}

interface CardPropsInput {
  features: DashboardFeatures;
  watchlistSummary: WatchlistSummary;
  presence: CardProps['presence'] | undefined;
  askAssistant: (question: AssistantQuestion) => void;
  setOpenDialog: (openDialog: OpenDialog) => void;
}

/** Returns the props of each card. The object is stable while its values are, so that no card renders again. */
function useCardProps({
  features,
  watchlistSummary,
  presence,
  askAssistant,
  setOpenDialog,
}: CardPropsInput): CardProps {
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
      onBought: (preset: BoughtSecurity) => setOpenDialog({ dialog: 'investment', preset }),
      onAsk: askAssistant,
      onEvent: (event, properties) => captureEvent(queries, event, properties),
    }),
    [privacy, hasWatchlist, presence, askAssistant, setOpenDialog, captureEvent, queries],
  );
}

const fullPresence = { netWorth: true, holdings: true, heldOrWatched: true };
