import { createStore } from '../../../ui/kit/store.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { getApiErrorBody } from '../../../ui/shell/api/call-api.ts';
import type { AnswerReader, ChatApi } from './chat-api.ts';
import { pollAnswer } from './poll-answer.ts';
import { streamAnswer } from './stream-answer.ts';
import {
  emptyThread,
  getPendingAnswer,
  type ReportEntry,
  type Thread,
  type ThreadAction,
  threadReducer,
} from './thread.ts';
import { formatLimitError } from './messages.ts';

/**
 * Creates a conversation with the assistant. `thread` is the state of the panel, and the functions change it. The state
 * outlives the panel, so that an answer is still received while the panel is closed.
 */
export function createChat(api: ChatApi) {
  const thread = createStore<Thread>(emptyThread);
  const dispatch = (event: ThreadAction): void => thread.set(threadReducer(thread.get(), event));
  const getPending = () => getPendingAnswer(thread.get());
  /** Aborted when the member leaves the thread. Ends all requests for it. */
  let abortController = new AbortController();
  let lastId = 0;
  const nextId = (): string => {
    lastId += 1;
    return `local-${lastId}`;
  };

  function leaveThread(): AnswerReader {
    abortController.abort();
    abortController = new AbortController();
    return createReader();
  }

  const createReader = (): AnswerReader => ({ api, dispatch, getThread: thread.get, signal: abortController.signal });

  /** Sends a question and reads its answer to the end. Starts a new conversation if the thread has none. */
  async function ask(text: string, symbol: string | null = null): Promise<void> {
    if (getPending()) return;
    dispatch({ type: 'asked', id: nextId(), text, symbol });
    await readAnswer({ text, symbol, retryOf: null });
  }

  /** Sends the question of this answer again. */
  async function retryAnswer(answerId: string): Promise<void> {
    const { entries } = thread.get();
    const index = entries.findIndex(({ id }) => id === answerId);
    const question = entries.slice(0, index).findLast((entry) => entry.role === 'member');
    const failedAnswer = entries[index];
    if (question?.role !== 'member' || failedAnswer?.role !== 'assistant' || getPending()) return;
    dispatch({ type: 'retried', id: nextId(), answer: answerId });
    await readAnswer({
      text: question.text,
      symbol: question.symbol,
      retryOf: failedAnswer.isStored ? failedAnswer.id : null,
    });
  }

  async function readAnswer(question: { text: string; symbol: string | null; retryOf: string | null }): Promise<void> {
    const reader = createReader();
    const error = await streamAnswer(reader, {
      ...question,
      conversation: thread.get().conversation,
      // Sends an earlier stop request as soon as the answer has an id.
      onStart: () => {
        if (getPending()?.isStopping) void sendStop();
      },
    });
    const pending = reader.signal.aborted ? undefined : getPending();
    if (!pending) return;
    const { conversation } = thread.get();
    const isAnswering = pending.isStored || (error instanceof ApiError && error.code === 'CONFLICT');
    if (conversation === null || !isAnswering) {
      dispatch({ type: 'failed', error: toAnswerError(error) });
      return;
    }
    // The service still completes the answer, or has stored the reason of its failure.
    dispatch({ type: 'stream_lost' });
    await pollAnswer(reader, conversation);
  }

  /** Stops the pending answer and keeps its received text. */
  async function stop(): Promise<void> {
    const answer = getPending();
    if (!answer || answer.isStopping) return;
    dispatch({ type: 'stopping', isStopping: true });
    if (answer.status !== 'requested') await sendStop();
  }

  async function sendStop(): Promise<void> {
    const { conversation } = thread.get();
    if (conversation === null) return;
    try {
      await api.callApi('POST /api/assistant/conversations/{id}/stop', { params: { id: conversation } });
    } catch {
      dispatch({ type: 'stopping', isStopping: false });
      showToast('Could not stop the answer. Try again.', 'bad');
    }
  }

  /** Shows a stored conversation and polls its pending answer. */
  async function openConversation(id: string): Promise<void> {
    const reader = leaveThread();
    const request = { params: { id }, signal: reader.signal };
    dispatch({ type: 'loaded', conversation: await api.callApi('GET /api/assistant/conversations/{id}', request) });
    if (getPending()) void pollAnswer(reader, id);
  }

  /** Empties the thread. The service keeps its conversation. */
  function startNew(): void {
    leaveThread();
    dispatch({ type: 'cleared' });
  }

  /** Adds a plain report to the thread, or replaces the failed report with this id. */
  async function showReport(
    { kind, symbol, title }: Pick<ReportEntry, 'kind' | 'symbol' | 'title'>,
    id = nextId(),
  ): Promise<void> {
    const { signal } = abortController;
    dispatch({ type: 'report_requested', id, kind, symbol, title });
    try {
      const report = await api.callApi('GET /api/assistant/reports/{kind}', {
        params: { kind },
        signal,
        ...(symbol !== null && { query: { symbol } }),
      });
      if (!signal.aborted) dispatch({ type: 'report_loaded', id, report });
    } catch (error) {
      if (!signal.aborted) dispatch({ type: 'report_failed', id, error: error as Error });
    }
  }

  return { thread, ask, askAgain: retryAnswer, stop, openConversation, startNew, showReport };
}

/** Returns the message for a question without any answer. */
function toAnswerError(error: unknown): { code: 'REJECTED' | 'DAILY_LIMIT_REACHED'; message: string; retry: boolean } {
  if (!(error instanceof ApiError))
    return { code: 'REJECTED', message: 'No response. Check your connection and try again.', retry: true };
  const limitError = getApiErrorBody('POST /api/assistant/messages', 'DAILY_LIMIT_REACHED', error);
  if (limitError) return { code: limitError.code, message: formatLimitError(limitError), retry: false };
  const { code, message, status } = error;
  const isTemporary = status < 400 || status === 429 || status >= 500;
  return { code: 'REJECTED', message, retry: isTemporary && code !== 'NOT_CONFIGURED' };
}
