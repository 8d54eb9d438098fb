import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button, getButtonClass } from '../../../../ui/kit/button.tsx';
import { ErrorMessage } from '../../../../ui/kit/error-message.tsx';
import { Icon } from '../../../../ui/kit/icon.tsx';
import { showToast } from '../../../../ui/kit/toasts.ts';
import type { AssistantQuestion, BoughtSecurity } from '../../../portfolio/dashboard/ui/shared/dashboard-card.ts';
import { useIsSampleUser } from '../../../../ui/shell/session/sample-user.ts';
import { openAlertForm, useMaySetAlerts } from '../../../../ui/shell/alerts/alert-request.ts';
import type { Security } from '../../../securities/contract.ts';
import type { Watchlist, WatchlistItem } from '../../contract.ts';
import { useAddSymbol } from '../list/add-item.ts';
import { capture } from '../list/capture.ts';
import { useConfirmRemoval } from '../list/confirm-removal.tsx';
import { isPending as isPendingRow } from '../list/item-labels.ts';
import { useRemoveWithUndo } from '../list/remove-with-undo.ts';
import { UpgradeLink } from '../list/upgrade-link.tsx';
import { useWatchlist, watchlistQueryKey } from '../list/watchlist-query.ts';
import { getTickerPrompt } from './security-prompt.ts';

interface SecurityActionsProps {
  security: Security;
  onClose: () => void;
  /** Opens Add Investment with the security preselected. */
  onAddHolding: (security: BoughtSecurity) => void;
  onAsk: (question: AssistantQuestion) => void;
}

/**
 * Shows the actions of a security: those of a watched one, or Watch and Add investment. Outside the rollout nothing is
 * read and there is no Watch.
 */
export function SecurityActions({ security, ...handlers }: SecurityActionsProps) {
  const { data: list, error, isPending, refetch } = useWatchlist(security.watched !== undefined);
  const item = list?.items.find(({ symbol }) => symbol === security.symbol);
  const isWatched = item !== undefined;
  const isListLoaded = list !== undefined;
  const actions = useRef<HTMLDivElement>(null);
  const wasWatched = useRef(isWatched);
  useRefetchWhenOutdated(security, list);
  useEffect(() => {
    if (list && item) capture('watchlist_detail_opened', list, { symbol: security.symbol });
    // Runs once per opening, with the list as first read.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isListLoaded]);
  useEffect(() => {
    // The pressed button is replaced by the actions of a watched security.
    if (isWatched && !wasWatched.current) actions.current?.querySelector('button')?.focus();
    wasWatched.current = isWatched;
  }, [isWatched]);
  return (
    <>
      {security.locked && list && <LockedNotice symbol={security.symbol} list={list} />}
      {/* The actions stick to the lower edge, so that they do not move when content loads above them. */}
      <div
        ref={actions}
        className={
          'sticky bottom-0 z-10 -mx-5 mt-auto flex min-h-15 flex-wrap gap-2 border-t border-line bg-raised px-5 py-3 *:grow'
        }
      >
        {list && item && <WatchedActions security={security} list={list} item={item} {...handlers} />}
        {!item && !(security.watched && !list) && <UnwatchedActions security={security} {...handlers} />}
        {security.watched && !list && !isPending && (
          <ErrorMessage
            error={error}
            retry={() => {
              void refetch();
            }}
          />
        )}
      </div>
    </>
  );
}

/** Refetches the list if another tab has removed the row that this tab still shows. */
function useRefetchWhenOutdated({ symbol, watched }: Security, list: Watchlist | null | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    const item = list?.items.find((row) => row.symbol === symbol);
    if (watched !== false || !item || isPendingRow(item)) return;
    showToast(`${symbol} is no longer on your watchlist.`);
    void queries.invalidateQueries({ queryKey: watchlistQueryKey, exact: true });
    // Runs for each response, with the list of its time.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [watched, symbol]);
}

function LockedNotice({ symbol, list }: { symbol: string; list: Watchlist }) {
  return (
    <div className="grid justify-items-start gap-3 rounded-control bg-sunken px-4 py-3 text-small">
      <p className="flex items-center gap-2 font-medium">
        <Icon name="lock" size={14} />
        {`${symbol} is locked on your plan`}
      </p>
      <p className="text-ink-soft">
        {`Your plan shows the first ${list.limit} tickers of your watchlist. The others stay saved, without price, chart and news.`}
      </p>
      <UpgradeLink
        source="dashboard_watchlist_locked"
        list={list}
        className={getButtonClass('primary', 'min-h-8 px-3 text-small')}
      />
    </div>
  );
}

interface WatchedActionsProps extends SecurityActionsProps {
  list: Watchlist;
  item: WatchlistItem;
}

/** Shows ask, "I bought this" and Remove from watchlist. A locked symbol has nothing to ask about. */
function WatchedActions({ security, list, item, onClose, onAddHolding, onAsk }: WatchedActionsProps) {
  const { symbol, name } = security;
  const removeWithUndo = useRemoveWithUndo();
  const removal = useConfirmRemoval(list, (removedItem) => {
    // The panel restores the focus to its row before the row is removed.
    flushSync(onClose);
    removeWithUndo(removedItem);
  });
  const prompt = security.locked ? null : getTickerPrompt(security);
  const isReadOnly = useIsSampleUser();
  return (
    <>
      {!security.held && (
        <Button
          variant="primary"
          disabled={isReadOnly}
          onClick={() => {
            capture('watchlist_bought_clicked', list, { symbol });
            onClose();
            onAddHolding({ symbol, name });
          }}
        >
          I bought this
        </Button>
      )}
      {prompt && (
        <Button
          onClick={() => {
            capture('watchlist_assistant_asked', list, { symbol });
            onClose();
            onAsk(prompt);
          }}
        >
          {prompt.about === 'why_moving' ? 'Why is it moving?' : 'What’s new?'}
        </Button>
      )}
      <SetAlertButton security={security} />
      <Button disabled={isReadOnly} onClick={() => removal.request(item)}>
        Remove from watchlist
      </Button>
      {isReadOnly && <ReadOnlyNote />}
      {removal.dialog}
    </>
  );
}

/** States why the actions beside it are disabled. */
const ReadOnlyNote = () => <p className="self-center text-small text-ink-soft">The sample cannot be changed.</p>;

/** Opens the alerts of the security. A locked one has none, and neither has a shared account. */
function SetAlertButton({ security }: { security: Security }) {
  const maySetAlerts = useMaySetAlerts();
  if (security.locked || !maySetAlerts) return null;
  return <Button onClick={() => openAlertForm(security)}>Set alert</Button>;
}

function UnwatchedActions({ security, onClose, onAddHolding }: Omit<SecurityActionsProps, 'onAsk'>) {
  const { symbol, name, asset_type, currency, logo, exchange, held } = security;
  const add = useAddSymbol();
  const isReadOnly = useIsSampleUser();
  return (
    <>
      {security.watched !== undefined && (
        <Button
          variant="primary"
          pending={add.isPending}
          disabled={isReadOnly}
          onClick={() => add.mutate({ security: { symbol, name, asset_type, currency, logo, exchange, held } })}
        >
          Watch
        </Button>
      )}
      <Button
        disabled={isReadOnly}
        onClick={() => {
          onClose();
          onAddHolding({ symbol, name });
        }}
      >
        Add investment
      </Button>
      <SetAlertButton security={security} />
      {isReadOnly && <ReadOnlyNote />}
    </>
  );
}
