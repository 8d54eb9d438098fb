import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { CardId } from '../../dashboard/contract.ts';
import type { DashboardEvent } from '../cards/card-shell.tsx';
import type { Connection } from '../../../connections/contract.ts';
import * as assistantAddress from '../../../assistant/ui/panel-address.ts';
import { capture } from '../../../watchlist/ui/list/capture.ts';
import type { AssistantQuestion } from '../../../watchlist/ui/panel/neutral-question.ts';
import type { BoughtSecurity } from '../../../watchlist/ui/panel/ticker-details.tsx';
import { closedLink } from '../../../watchlist/ui/panel/ticker-address.ts';
import { useWatchlist } from '../../../watchlist/ui/list/watchlist-query.ts';
import type { EventProperties } from '../../../../platform/analytics/contract.ts';
import { captureEvent } from '../../../../ui/shell/events/capture-events.ts';
import { navigate, useSearch } from '../../../../ui/shell/navigation/location.ts';
import { useStore } from '../../../../ui/kit/use-store.ts';
import { Failure } from '../../../../ui/kit/failure.tsx';
import { LazyPart } from '../../../../ui/shell/loading/lazy-part.tsx';
import { DashboardCard } from './card-screens.tsx';
import { DashboardGrid } from './dashboard-grid.tsx';
import * as dialogs from './dialogs.ts';
import { expectsCard, useLayout } from './layout-query.ts';
import { PageActions } from './page-actions.tsx';
import { SignInNotice } from './sign-in-notice.tsx';
import { pairSmall, placeInColumns } from './place-in-columns.ts';
import { privacyMode } from '../../../../ui/shell/session/privacy-mode.ts';
import type { CardDrag } from './use-drag-cards.ts';
import { SampleMark } from './sample-mark.tsx';
import { usePortfolioState } from './use-portfolio-state.ts';
import { useFollowWatchlist } from './use-follow-watchlist.ts';
import { WaitingCards } from './waiting-cards.tsx';

type Open =
  | { dialog: 'widget' }
  | { dialog: 'connect'; repair?: Connection }
  | { dialog: 'investment'; preset: BoughtSecurity | null }
  | null;

/** The cards in the member's order, and what can be done with them. */
export function Dashboard() {
  const layout = useLayout();
  const privacy = useStore(privacyMode);
  const offered = layout.data
    ? [...layout.data.cards, ...layout.data.removed].some(({ id }) => id === 'watchlist')
    : expectsCard('watchlist');
  const list = useWatchlist(offered);
  const { data: watchlist, isPending: listIsPending } = list;
  const search = useSearch();
  const ticker = search.get('ticker');
  const assistantAt = search.get('assistant');
  useFollowWatchlist(watchlist);
  const [arranging, setArranging] = useState(false);
  const [open, setOpen] = useState<Open>(null);
  const ids = layout.data?.cards.map(({ id }) => id);
  const cardOpensTicker = watchlist && ids?.includes('watchlist');
  const [said, setSaid] = useState('');
  const [drag, setDrag] = useState<CardDrag | null>(null);
  const close = (): void => setOpen(null);
  const addInvestment = useCallback(
    (preset: BoughtSecurity | null = null): void => setOpen({ dialog: 'investment', preset }),
    [],
  );
  const [asked, setAsked] = useState<AssistantQuestion | null>(null);
  const ask = useCallback((question: AssistantQuestion | null): void => {
    setAsked(question);
    navigate(assistantAddress.panelLink(), { keepScroll: true });
  }, []);
  const has = usePortfolioState(ids, { ...list, offered });
  const hasWatchlist = (watchlist?.item_count ?? 0) > 0;
  // A change of the list concerns one card: the others keep their properties and are not rendered again.
  const latest = useRef(watchlist);
  useLayoutEffect(() => {
    latest.current = watchlist;
  });
  const cardProps = useMemo(
    () => ({
      privacy,
      hasWatchlist,
      has: has ?? everything,
      onConnect: () => setOpen({ dialog: 'connect' }),
      onBought: addInvestment,
      onAsk: ask,
      onEvent: (event: DashboardEvent, properties: EventProperties) =>
        latest.current ? capture(event, latest.current, properties) : captureEvent(event, properties),
    }),
    [privacy, hasWatchlist, has, addInvestment, ask],
  );
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-x-2 gap-y-1.5 sm:mb-6">
        <div className="flex flex-1 flex-wrap items-center gap-x-3">
          <h1 className="text-title font-semibold tracking-tight">Dashboard</h1>
          <SampleMark />
        </div>
        <PageActions
          arranging={arranging}
          onArrange={() => void dialogs.cardBar.arrived().then(() => setArranging(!arranging))}
          onAddWidget={() => setOpen({ dialog: 'widget' })}
          onAddInvestment={() => addInvestment()}
          onAsk={() => ask(null)}
        />
      </div>
      <p role="status" className="sr-only">
        {layout.isPending || (offered && listIsPending) ? 'Loading your dashboard' : said}
      </p>
      <SignInNotice onRepair={(repair) => setOpen({ dialog: 'connect', repair })} />
      {open?.dialog === 'connect' && (
        <LazyPart
          part={dialogs.connectAccount}
          props={{ repair: open.repair, onClose: close }}
          {...aside}
          onClose={close}
        />
      )}
      {open?.dialog === 'investment' && (
        <LazyPart
          part={dialogs.addInvestment}
          props={{ preset: open.preset, onClose: close }}
          {...aside}
          onClose={close}
        />
      )}
      {open?.dialog === 'widget' && layout.data && (
        <LazyPart
          part={dialogs.addWidget}
          props={{ layout: layout.data, cardProps, onSay: setSaid, onClose: close }}
          {...aside}
          onClose={close}
        />
      )}
      {ticker !== null && watchlist !== null && !listIsPending && !layout.isPending && !cardOpensTicker && (
        <LazyPart
          key={ticker}
          part={dialogs.tickerElsewhere}
          props={{
            symbol: ticker,
            list: watchlist,
            error: list.error,
            retry: () => void list.refetch(),
            privacy,
            onBought: addInvestment,
            onAsk: ask,
          }}
          {...aside}
          onClose={() => navigate(closedLink(), { keepScroll: true })}
        />
      )}
      {assistantAt !== null && (
        <LazyPart
          part={dialogs.assistant}
          props={{ at: assistantAt, asked, privacy, onClose: closeAssistant }}
          {...aside}
          onClose={closeAssistant}
        />
      )}
      {ids && has ? (
        ids.length === 0 ? (
          <LazyPart part={dialogs.emptyDashboard} props={{ onAddWidget: () => setOpen({ dialog: 'widget' }) }} />
        ) : (
          <DashboardGrid cards={placed(ids)} />
        )
      ) : layout.isPending || ids ? (
        <WaitingCards />
      ) : (
        <Failure error={layout.error} retry={() => void layout.refetch()} />
      )}
    </>
  );

  function placed(shown: readonly CardId[]) {
    const spans = placeInColumns(shown);
    const halves = pairSmall(shown, has ?? everything);
    // The watchlist alone is as high as what is on it; the others hold their height.
    const unsure = listIsPending ? shown.indexOf('watchlist') : -1;
    return shown.map((id, index) => ({
      id,
      span: spans[index]!,
      half: halves[index]!,
      look: drag?.id === id ? ('dragged' as const) : drag?.to === index ? ('target' as const) : undefined,
      waits: unsure !== -1 && index > unsure,
      content: (
        <>
          {arranging && (
            <LazyPart
              part={dialogs.cardBar}
              props={{ id, ids: shown, onDrag: setDrag, onSay: setSaid }}
              waiting={<span className="mb-1.5 block h-9" />}
            />
          )}
          <DashboardCard id={id} {...cardProps} />
        </>
      ),
    }));
  }
}

/** Called once by Escape and once more by the dialog's own end: the second time there is nothing to leave. */
function closeAssistant(): void {
  if (new URLSearchParams(window.location.search).has('assistant'))
    navigate(assistantAddress.closedLink(), { keepScroll: true });
}

const everything = { worth: true, holdings: true, follows: true };

/** Where a dialog that did not arrive says so; its sentence's buttons leave the focus to the page. */
const aside = { className: 'mb-4', onAnswer: () => document.getElementById('main')?.focus({ preventScroll: true }) };
