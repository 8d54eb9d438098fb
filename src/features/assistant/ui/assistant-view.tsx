import type { AssistantQuestion } from '../../portfolio/dashboard/ui/shared/dashboard-card.ts';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { type ComponentProps, type RefObject, useEffect, useRef, useState } from 'react';
import { navigate } from '../../../ui/shell/navigation/location.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { ErrorMessage } from '../../../ui/kit/error-message.tsx';
import { IconButton } from '../../../ui/kit/icon-button.tsx';
import { Skeleton } from '../../../ui/kit/skeleton.tsx';
import type { ReportKind } from '../contract.ts';
import { EmptyConversation } from './empty-conversation.tsx';
import { chat, startChat } from './chat.ts';
import { Composer } from './composer.tsx';
import { ConversationHistory } from './conversation-history.tsx';
import { ASSISTANT_QUERY_KEY, conversationsQuery, statusQuery } from './queries.ts';
import { getAnnouncement } from './announcements.ts';
import { type Entry, getPendingAnswer } from './thread.ts';
import { ThreadView } from './thread-view.tsx';
import { useStickToBottom } from './use-stick-to-bottom.ts';
import { hasUsedUpQuota, formatQuota, formatReportTitle } from './messages.ts';

interface AssistantViewProps {
  /** The id of a conversation, or `open`. */
  target: string;
  question: AssistantQuestion | null;
  privacy: boolean;
  /** The element that scrolls: the panel's region or the document. */
  scrollRef: RefObject<HTMLElement | null>;
  /** Returns the URL of a stored conversation. */
  getUrl: (conversation: string) => string;
  /** Closes the panel. Omitted on a page of its own. */
  onClose?: () => void;
}

/** Maximum age in ms of the latest conversation that the assistant resumes. */
const RESUME_WITHIN_MS = 3_600_000;
const { ask, askAgain: retryAnswer, openConversation, showReport, startNew, stop, thread } = chat;
const handledQuestions = new WeakSet<AssistantQuestion>();

/** The conversation with its history and the field for a question, in a panel or on a page of its own. */
export function AssistantView({ target, question, privacy, scrollRef, getUrl, onClose }: AssistantViewProps) {
  const queries = useQueryClient();
  const threadState = useStore(thread);
  const status = useQuery(statusQuery);
  const [view, setView] = useState<'thread' | 'history'>('thread');
  const [openError, setOpenError] = useState<{ error: unknown; id: string } | null>(null);
  const inputRef = useRef<HTMLTextAreaElement>(null);
  const pendingAnswer = getPendingAnswer(threadState);
  const available = status.data?.available;
  const lastEntry = threadState.entries.at(-1);
  const isQuotaUsedUp = status.data !== undefined && hasUsedUpQuota(status.data);
  useStickToBottom(scrollRef, threadState, view === 'thread');

  function open(id: string): void {
    setView('thread');
    setOpenError(null);
    openConversation(id).catch((error: unknown) => setOpenError({ error, id }));
  }

  function openReport(kind: ReportKind, symbol: string | null): void {
    void showReport({ kind, symbol, title: formatReportTitle(kind, symbol) });
  }

  function startConversation(): void {
    setView('thread');
    setOpenError(null);
    startNew();
    inputRef.current?.focus();
  }

  useEffect(startChat, []);

  useEffect(() => {
    if (question || thread.get().conversation === target) return;
    if (target !== 'open') return open(target);
    if (thread.get().entries.length > 0) return;
    // Resumes a recent conversation, so that the member sees an answer that was completed in the background.
    void queries
      .fetchQuery(conversationsQuery)
      .then(({ conversations: [latest] }) => {
        const isFresh = latest && Date.now() - Date.parse(latest.updated_at) < RESUME_WITHIN_MS;
        if (isFresh && thread.get().entries.length === 0) open(latest.id);
      })
      .catch(() => undefined);
    // Runs only when the panel opens. Afterwards the URL follows the panel.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  useEffect(() => {
    if (!question || available === undefined || handledQuestions.has(question)) return;
    handledQuestions.add(question);
    if (available && !isQuotaUsedUp) {
      startNew();
      void ask(question.text, question.symbol);
    } else openReport(question.about, question.symbol);
  }, [question, available, isQuotaUsedUp]);

  const { conversation } = threadState;
  useEffect(() => {
    if (conversation !== null && conversation !== target)
      navigate(getUrl(conversation), { replace: true, keepScroll: true });
  }, [conversation, target, getUrl]);

  const isAnswering = pendingAnswer !== undefined;
  useEffect(() => {
    // The quota and the conversation list change when an answer starts or ends.
    void queries.invalidateQueries({ queryKey: ASSISTANT_QUERY_KEY, refetchType: 'active' });
  }, [isAnswering, conversation, queries]);

  useEffect(() => {
    // On a phone, the keyboard would cover the suggestions.
    if (available && matchMedia('(pointer: fine)').matches) inputRef.current?.focus();
  }, [available]);

  const content = (
    <>
      {view === 'history' ? (
        <ConversationHistory
          privacy={privacy}
          onOpen={open}
          onDeleted={(id) => {
            if (id === null || id === conversation) startNew();
          }}
        />
      ) : (
        <div className="grid min-w-0 gap-5">
          {openError && <ErrorMessage error={openError.error} retry={() => open(openError.id)} />}
          <ThreadView
            thread={threadState}
            privacy={privacy}
            onRetry={(id) => {
              inputRef.current?.focus();
              void retryAnswer(id);
            }}
            onReportRetry={({ id, kind, symbol, title }) => {
              void showReport({ kind, symbol, title }, id);
            }}
          />
          {status.data ? (
            <EmptyConversation
              status={status.data}
              isEmpty={threadState.entries.length === 0 && !openError}
              isQuotaUsedUp={isQuotaUsedUp || isRejectedForToday(lastEntry)}
              symbol={question?.symbol ?? (lastEntry?.role === 'report' ? lastEntry.symbol : null)}
              onAsk={(text) => {
                void ask(text);
              }}
              onReport={openReport}
            />
          ) : (
            <StatusPlaceholder status={status} />
          )}
        </div>
      )}
    </>
  );
  return (
    <>
      <div className={onClose ? 'absolute end-3 top-3.5 flex items-center gap-1' : 'mb-5 flex items-center gap-1'}>
        {!onClose && <h1 className="flex-1 text-title font-semibold tracking-tight">Assistant</h1>}
        <HeaderButton
          aria-pressed={view === 'history'}
          onClick={() => setView(view === 'history' ? 'thread' : 'history')}
        >
          History
        </HeaderButton>
        {threadState.entries.length > 0 && <HeaderButton onClick={startConversation}>New</HeaderButton>}
        {onClose && <IconButton icon="close" label="Close" onClick={onClose} />}
      </div>
      <p role="status" className="sr-only">
        {getAnnouncement(threadState, privacy)}
      </p>
      {onClose ? (
        // Focusable, so that keyboard users can scroll the panel.
        <div
          ref={scrollRef as RefObject<HTMLDivElement | null>}
          role="region"
          aria-label="Conversation"
          tabIndex={0}
          className="min-h-0 min-w-0 flex-1 overflow-y-auto border-t border-line px-5 py-4"
        >
          {content}
        </div>
      ) : (
        <section aria-label="Conversation" className="min-w-0 flex-1 pb-4 **:data-question:scroll-mt-18">
          <h2 className="sr-only">Conversation</h2>
          {content}
        </section>
      )}
      {status.data?.available && view === 'thread' && (
        <Composer
          inputRef={inputRef}
          isAnswering={isAnswering}
          isStopping={pendingAnswer?.isStopping ?? false}
          hint={formatQuota(status.data)}
          className={onClose ? 'px-5' : 'sticky bottom-0 bg-page max-sm:bottom-bar'}
          onSend={(text) => {
            void ask(text);
          }}
          onStop={() => {
            void stop();
          }}
        />
      )}
    </>
  );
}

/**
 * Returns whether a question was rejected for the day. The tokens may be too few for a question although some are left.
 */
const isRejectedForToday = (entry: Entry | undefined): boolean =>
  entry?.role === 'assistant' && entry.failure?.code === 'DAILY_LIMIT_REACHED';

const HeaderButton = (props: ComponentProps<'button'>) => (
  <button
    {...props}
    type="button"
    className={
      'min-h-9 rounded-control px-2 text-small font-medium text-ink-soft hover:bg-sunken hover:text-ink ' +
      'aria-pressed:bg-accent-soft aria-pressed:text-accent'
    }
  />
);

function StatusPlaceholder({ status }: { status: Pick<UseQueryResult, 'isPending' | 'error' | 'refetch'> }) {
  if (status.isPending) return <Skeleton lines={4} label="Loading the assistant" />;
  return (
    <ErrorMessage
      error={status.error}
      retry={() => {
        void status.refetch();
      }}
    />
  );
}
