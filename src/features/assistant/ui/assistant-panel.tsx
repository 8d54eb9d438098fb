import type { AssistantQuestion } from '../../../ui/shell/dashboard/dashboard-card.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useEffect, useRef, useState } from 'react';
import { navigate } from '../../../ui/shell/navigation/location.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { Dialog } from '../../../ui/kit/dialog.tsx';
import { Failure } from '../../../ui/kit/failure.tsx';
import { Icon } from '../../../ui/kit/icon.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { ReportKind } from '../contract.ts';
import { Beginning } from './beginning.tsx';
import { chat, startChat } from './chat.ts';
import { Composer } from './composer.tsx';
import { EarlierList } from './earlier-list.tsx';
import { panelLink } from './panel-address.ts';
import { ASSISTANT, conversationsQuery, statusQuery } from './queries.ts';
import { spokenOf } from './spoken.ts';
import { type Entry, getPendingAnswer } from './thread.ts';
import { ThreadView } from './thread-view.tsx';
import { useFollowEnd } from './use-follow-end.ts';
import { isUsedUp, quotaWords, reportWords } from './words.ts';

export interface AssistantPanelProps {
  /** A conversation's id, or `open`. */
  at: string;
  asked: AssistantQuestion | null;
  privacy: boolean;
  onClose: () => void;
}

/** An answer that is this fresh is what somebody comes back for. */
const FRESH_MS = 3_600_000;
const { ask, askAgain, openConversation, showReport, startNew, stop, thread } = chat;
const handled = new WeakSet<AssistantQuestion>();

/** The assistant at the side of the dashboard, under an address of its own (`?assistant=…`). */
export default function AssistantPanel({ at, asked, privacy, onClose }: AssistantPanelProps) {
  const queries = useQueryClient();
  const shown = useStore(thread);
  const status = useQuery(statusQuery);
  const [view, setView] = useState<'thread' | 'earlier'>('thread');
  const [openFailure, setOpenFailure] = useState<{ error: unknown; id: string } | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const answer = getPendingAnswer(shown);
  const available = status.data?.available;
  const lastEntry = shown.entries.at(-1);
  const usedUp = status.data !== undefined && isUsedUp(status.data);
  useFollowEnd(scroller, shown, view === 'thread');

  function open(id: string): void {
    setView('thread');
    setOpenFailure(null);
    openConversation(id).catch((error: unknown) => setOpenFailure({ error, id }));
  }

  function report(kind: ReportKind, symbol: string | null): void {
    void showReport({ kind, symbol, title: reportWords(kind, symbol) });
  }

  function begin(): void {
    setView('thread');
    setOpenFailure(null);
    startNew();
    field.current?.focus();
  }

  useEffect(startChat, []);

  useEffect(() => {
    if (asked || thread.get().conversation === at) return;
    if (at !== 'open') return open(at);
    if (thread.get().entries.length > 0) return;
    // An answer that came, or still comes, while nobody looked.
    void queries
      .fetchQuery(conversationsQuery)
      .then(({ conversations: [newest] }) => {
        const isFresh = newest && Date.now() - Date.parse(newest.updated_at) < FRESH_MS;
        if (isFresh && thread.get().entries.length === 0) open(newest.id);
      })
      .catch(() => undefined);
    // As the panel opens; from then on the address follows what it shows.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  useEffect(() => {
    if (!asked || available === undefined || handled.has(asked)) return;
    handled.add(asked);
    if (available && !usedUp) {
      startNew();
      void ask(asked.text, asked.symbol);
    } else report(asked.about, asked.symbol);
  }, [asked, available, usedUp]);

  const { conversation } = shown;
  useEffect(() => {
    if (conversation !== null && conversation !== at)
      navigate(panelLink(conversation), { replace: true, keepScroll: true });
  }, [conversation, at]);

  const answering = answer !== undefined;
  useEffect(() => {
    // What is used of the day, and the list, are others once an answer has begun or ended.
    void queries.invalidateQueries({ queryKey: ASSISTANT, refetchType: 'active' });
  }, [answering, conversation, queries]);

  useEffect(() => {
    // On a phone the keyboard would cover what can be chosen instead of typing.
    if (available && matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [available]);

  function leave(): void {
    const dialog = scroller.current?.closest('dialog');
    // Escape stops an answer first; a dialog that the browser has closed already goes.
    if (answer && !answer.stopping && dialog?.open) void stop();
    else onClose();
  }

  return (
    <Dialog
      title="Assistant"
      startsAtHeading
      onClose={leave}
      className={
        'me-0 h-dvh max-h-none max-w-none w-[min(32rem,100vw)] rounded-none border-y-0 border-e-0 p-0 ' +
        'overflow-hidden sm:rounded-s-card flex-col open:flex [&>h2]:px-5 [&>h2]:py-4 [--notices-bottom:8rem]'
      }
    >
      <div className="absolute end-3 top-3.5 flex items-center gap-1">
        <HeadButton
          aria-pressed={view === 'earlier'}
          onClick={() => setView(view === 'earlier' ? 'thread' : 'earlier')}
        >
          Earlier
        </HeadButton>
        {shown.entries.length > 0 && <HeadButton onClick={begin}>New</HeadButton>}
        <button
          type="button"
          aria-label="Close"
          title="Close"
          onClick={onClose}
          className="grid size-9 place-items-center rounded-control text-ink-soft hover:bg-sunken hover:text-ink"
        >
          <Icon name="close" />
        </button>
      </div>
      <p role="status" className="sr-only">
        {spokenOf(shown, privacy)}
      </p>
      {/* What is longer than the panel is scrolled by keyboard too. */}
      <div
        ref={scroller}
        role="region"
        aria-label="Conversation"
        tabIndex={0}
        className="min-h-0 min-w-0 flex-1 overflow-y-auto border-t border-line px-5 py-4"
      >
        {view === 'earlier' ? (
          <EarlierList
            privacy={privacy}
            onOpen={open}
            onDeleted={(id) => {
              if (id === null || id === conversation) startNew();
            }}
          />
        ) : (
          <div className="grid min-w-0 gap-5">
            {openFailure && <Failure error={openFailure.error} retry={() => open(openFailure.id)} />}
            <ThreadView
              thread={shown}
              privacy={privacy}
              onAgain={(id) => {
                field.current?.focus();
                void askAgain(id);
              }}
              onReportAgain={({ id, kind, symbol, title }) => void showReport({ kind, symbol, title }, id)}
            />
            {status.data ? (
              <Beginning
                status={status.data}
                empty={shown.entries.length === 0 && !openFailure}
                usedUp={usedUp || isRefusedForToday(lastEntry)}
                symbol={asked?.symbol ?? (lastEntry?.role === 'report' ? lastEntry.symbol : null)}
                onAsk={(text) => void ask(text)}
                onReport={report}
              />
            ) : status.isPending ? (
              <Skeleton lines={4} label="Loading the assistant" />
            ) : (
              <Failure error={status.error} retry={() => void status.refetch()} />
            )}
          </div>
        )}
      </div>
      {status.data?.available && view === 'thread' && (
        <Composer
          field={field}
          answering={answering}
          stopping={answer?.stopping ?? false}
          hint={quotaWords(status.data)}
          onSend={(text) => void ask(text)}
          onStop={() => void stop()}
        />
      )}
    </Dialog>
  );
}

/** Tokens may not suffice for a question although some are left. */
const isRefusedForToday = (entry: Entry | undefined): boolean =>
  entry?.role === 'assistant' && entry.failure?.code === 'DAILY_LIMIT_REACHED';

const HeadButton = (props: ComponentProps<'button'>) => (
  <button
    {...props}
    type="button"
    className={
      'min-h-9 rounded-control px-2.5 text-small font-medium text-ink-soft hover:bg-sunken hover:text-ink ' +
      'aria-pressed:bg-accent-soft aria-pressed:text-accent'
    }
  />
);
