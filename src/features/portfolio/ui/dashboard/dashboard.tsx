import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { AssistantQuestion, BoughtSecurity, CardProps } from '../../../../ui/shell/dashboard/dashboard-card.ts';
import { privacyMode } from '../../../../ui/shell/session/privacy-mode.ts';
import type { Reading } from '../../../../ui/kit/use-deferred-reading.ts';
import type { DashboardResponse } from '../../dashboard/contract.ts';
import { useStore } from '../../../../ui/kit/use-store.ts';
import { DashboardBody } from './dashboard-body.tsx';
import { DashboardDialogs, type OpenDialog } from './dashboard-dialogs.tsx';
import type { DashboardFeatures, Watched } from './dashboard-features.ts';
import { cardBar } from './dialogs.ts';
import { PageActions } from './page-actions.tsx';
import { SampleMark } from './sample-mark.tsx';
import { SignInNotice } from './sign-in-notice.tsx';
import { usePortfolioState } from './use-portfolio-state.ts';

export interface DashboardProps {
  layout: Reading<DashboardResponse>;
  watched: Watched;
  features: DashboardFeatures;
}

/** The cards in the member's order, and what can be done with them. */
export function Dashboard({ layout, watched, features }: DashboardProps) {
  const { data } = layout;
  const [arranging, setArranging] = useState(false);
  const [open, setOpen] = useState<OpenDialog>(null);
  const [asked, setAsked] = useState<AssistantQuestion | null>(null);
  const [announcement, setAnnouncement] = useState('');
  const shown = useMemo(
    () => data?.cards.flatMap(({ id }) => features.cards.find((card) => card.id === id) ?? []),
    [data, features],
  );
  const ids = shown?.map(({ id }) => id);
  const has = usePortfolioState(ids, watched);
  const { openAssistant } = features;
  const ask = useCallback(
    (question: AssistantQuestion | null): void => {
      setAsked(question);
      openAssistant();
    },
    [openAssistant],
  );
  const cardProps = useCardProps({ features, watched, has, ask, setOpen });
  const { privacy } = cardProps;
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-2 gap-y-1.5 sm:mb-6">
        <div className="flex flex-1 flex-wrap items-center gap-x-3">
          <h1 className="text-title font-semibold tracking-tight">Dashboard</h1>
          <SampleMark watchlistIsSample={watched.isSample} />
        </div>
        <PageActions
          arranging={arranging}
          preloadAssistant={features.preloadAssistant}
          onArrange={() => void cardBar.arrived().then(() => setArranging(!arranging))}
          onAddWidget={() => setOpen({ dialog: 'widget' })}
          onAddInvestment={() => setOpen({ dialog: 'investment', preset: null })}
          onAsk={() => ask(null)}
        />
      </div>
      <p role="status" className="sr-only">
        {layout.isPending || watched.isPending ? 'Loading your dashboard' : announcement}
      </p>
      <SignInNotice onRepair={(repair) => setOpen({ dialog: 'connect', repair })} />
      <DashboardDialogs
        open={open}
        features={features}
        layout={data}
        cardProps={cardProps}
        onAnnounce={setAnnouncement}
        onClose={() => setOpen(null)}
      />
      <features.Panels privacy={privacy} asked={asked} onBought={cardProps.onBought} onAsk={ask} />
      <DashboardBody
        usualCards={features.cards}
        layout={layout}
        shown={shown}
        has={has}
        rowIsPending={watched.isPending}
        arranging={arranging}
        cardProps={cardProps}
        onAnnounce={setAnnouncement}
        onAddWidget={() => setOpen({ dialog: 'widget' })}
      />
    </>
  );
}

interface CardPropsInput {
  features: DashboardFeatures;
  watched: Watched;
  has: CardProps['has'] | undefined;
  ask: (question: AssistantQuestion) => void;
  setOpen: (open: OpenDialog) => void;
}

/** What each card is given. It stays the same object while nothing of it changes, so that no card is rendered anew. */
function useCardProps({ features, watched, has, ask, setOpen }: CardPropsInput): CardProps {
  const queries = useQueryClient();
  const privacy = useStore(privacyMode);
  const hasWatchlist = watched.count > 0;
  const { captureEvent } = features;
  return useMemo(
    () => ({
      privacy,
      hasWatchlist,
      has: has ?? everything,
      onConnect: () => setOpen({ dialog: 'connect' }),
      onBought: (preset: BoughtSecurity) => setOpen({ dialog: 'investment', preset }),
      onAsk: ask,
      onEvent: (event, properties) => captureEvent(queries, event, properties),
    }),
    [privacy, hasWatchlist, has, ask, setOpen, captureEvent, queries],
  );
}

const everything = { worth: true, holdings: true, follows: true };
