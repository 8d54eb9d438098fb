import { callApi, sendToApi } from '../../../ui/shell/api/api.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { refusedWith } from '../../../ui/shell/api/call-api.ts';
import { showToast } from '../../../ui/kit/toasts.ts';
import { session } from '../../../ui/shell/session/session.ts';
import { createStore } from '../../../ui/kit/store.ts';
import type { StreamEvent } from '../contract.ts';
import { readEvents } from './read-events.ts';
import { emptyThread, follow, type ReportEntry, type Thread, type ThreadEvent, underWay } from './thread.ts';
import { refusedForToday } from './words.ts';

/** What the panel shows. It stays while the panel is closed, and an answer goes on coming. */
export const thread = createStore<Thread>(emptyThread);

const tell = (event: ThreadEvent): void => thread.set(follow(thread.get(), event));

/** Ends what comes for the thread that is left; the service goes on with its answer. */
let leaving = new AbortController();
let lastId = 0;
const nextId = (): string => `here-${(lastId += 1)}`;

/** Without a byte for this long a stream counts as cut: the service says something every 15 s. */
const SILENCE_MS = 40_000;
/** Text is drawn so often at most: each piece by itself would keep the page busy. */
const DRAW_MS = 50;
const POLL_MS = 1_000;
/** An answer takes two minutes at most. */
const POLLS = 240;

/** Sends a question and follows its answer to the end. A new conversation begins where the thread has none. */
export async function ask(text: string, symbol: string | null = null): Promise<void> {
  if (underWay(thread.get())) return;
  tell({ type: 'asked', id: nextId(), text, symbol });
  await receive(text, symbol, null);
}

/** Asks once more what this answer was to answer. */
export async function askAgain(answer: string): Promise<void> {
  const { entries } = thread.get();
  const at = entries.findIndex(({ id }) => id === answer);
  const before = entries.slice(0, at).findLast((entry) => entry.role === 'member');
  const failed = entries[at];
  if (before?.role !== 'member' || failed?.role !== 'assistant' || underWay(thread.get())) return;
  tell({ type: 'again', id: nextId(), answer });
  await receive(before.text, before.symbol, failed.known ? failed.id : null);
}

/** Stops the answer that is under way; what is there of it stays. */
export async function stop(): Promise<void> {
  const answer = underWay(thread.get());
  if (!answer || answer.stopping) return;
  tell({ type: 'stopping', on: true });
  // One that has not begun is stopped as soon as it has.
  if (answer.status !== 'asking') await sendStop();
}

async function sendStop(): Promise<void> {
  const { conversation } = thread.get();
  if (conversation === null) return;
  try {
    await callApi('POST /api/assistant/conversations/{id}/stop', { params: { id: conversation } });
  } catch {
    tell({ type: 'stopping', on: false });
    showToast('The answer could not be stopped. Try again.', 'bad');
  }
}

/** Shows a kept conversation, and follows an answer of it that is under way. */
export async function openConversation(id: string): Promise<void> {
  const { signal } = leave();
  const conversation = await callApi('GET /api/assistant/conversations/{id}', { params: { id }, signal });
  tell({ type: 'read', conversation });
  if (underWay(thread.get())) void followElsewhere(id, signal);
}

/** Begins anew; what was there is kept by the service. */
export function startNew(): void {
  leave();
  tell({ type: 'cleared' });
}

/** Shows a plain report below what is there, or in the place of the one that did not come. */
export async function showReport(
  { kind, symbol, title }: Pick<ReportEntry, 'kind' | 'symbol' | 'title'>,
  id = nextId(),
): Promise<void> {
  const { signal } = leaving;
  tell({ type: 'report_asked', id, kind, symbol, title });
  try {
    const report = await callApi('GET /api/assistant/reports/{kind}', {
      params: { kind },
      signal,
      ...(symbol !== null && { query: { symbol } }),
    });
    if (!signal.aborted) tell({ type: 'report_came', id, report });
  } catch (error) {
    if (!signal.aborted) tell({ type: 'report_failed', id, error: error as Error });
  }
}

function leave(): AbortController {
  leaving.abort();
  leaving = new AbortController();
  return leaving;
}

/** Sends a question and takes its answer, which may replace another one of this id. */
async function receive(text: string, symbol: string | null, replaced: string | null): Promise<void> {
  const left = leaving.signal;
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), SILENCE_MS);
  };
  const { conversation } = thread.get();
  let refused: unknown = null;
  heard();
  try {
    const response = await sendToApi('POST /api/assistant/messages', {
      body: {
        text,
        ...(symbol !== null && { symbol }),
        ...(conversation !== null && { conversation_id: conversation }),
        ...(replaced !== null && { retry_of: replaced }),
      },
      signal: AbortSignal.any([left, silence.signal]),
      streams: true,
    });
    if (response.body) await draw(response.body, heard, left);
  } catch (error) {
    refused = error;
  } finally {
    clearTimeout(timer);
  }
  const missing = left.aborted ? undefined : underWay(thread.get());
  if (!missing) return;
  const begun = thread.get().conversation;
  const isUnderWay = refused instanceof ApiError && refused.code === 'CONFLICT';
  if (begun !== null && (missing.known || isUnderWay)) {
    // The stream was cut. The service goes on, or has said why it could not.
    tell({ type: 'elsewhere' });
    await followElsewhere(begun, left);
  } else tell({ type: 'failed', fault: faultOf(refused) });
}

/** Takes the events of an answer as they come, text in pieces that can be read. */
async function draw(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  heard: () => void,
  left: AbortSignal,
): Promise<void> {
  let text = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (text !== '' && !left.aborted) tell({ type: 'came', event: { type: 'text', text } });
    text = '';
  };
  try {
    for await (const { data } of readEvents(body, heard)) {
      const event = JSON.parse(data) as StreamEvent;
      if (event.type === 'text') {
        text += event.text;
        timer ??= setTimeout(flush, DRAW_MS);
        continue;
      }
      flush();
      if (left.aborted) return;
      tell({ type: 'came', event });
      if (event.type === 'start' && underWay(thread.get())?.stopping) void sendStop();
      if (event.type === 'done' || event.type === 'error') return;
    }
  } finally {
    flush();
  }
}

/** Reads a conversation until its answer has ended. */
async function followElsewhere(id: string, left: AbortSignal): Promise<void> {
  for (let polls = 0; polls < POLLS; polls += 1) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (left.aborted) return;
    try {
      const conversation = await callApi('GET /api/assistant/conversations/{id}', { params: { id }, signal: left });
      if (left.aborted) return;
      tell({ type: 'read', conversation });
      if (!underWay(thread.get())) return;
    } catch (error) {
      if (left.aborted) return;
      if (error instanceof ApiError && error.status === 404) break;
      // The connection may come back.
    }
  }
  tell({
    type: 'failed',
    fault: { code: 'INTERRUPTED', message: 'The rest of this answer could not be read.', retry: true },
  });
}

/** Why there is no answer at all, for people. */
function faultOf(error: unknown): { code: 'REFUSED' | 'DAILY_LIMIT_REACHED'; message: string; retry: boolean } {
  if (!(error instanceof ApiError))
    return { code: 'REFUSED', message: 'No answer came. Check the connection and try again.', retry: true };
  const usedUp = refusedWith('POST /api/assistant/messages', 'DAILY_LIMIT_REACHED', error);
  if (usedUp) return { code: usedUp.code, message: refusedForToday(usedUp), retry: false };
  const { code, message, status } = error;
  const canPass = status < 400 || status === 429 || status >= 500;
  return { code: 'REFUSED', message, retry: canPass && code !== 'NOT_CONFIGURED' };
}

let reader: string | null = null;
// One member's conversation is removed before another member, or a visitor, can see it.
session.state.subscribe(() => {
  const state = session.state.get();
  const next = state.status === 'signed-in' || state.status === 'expired' ? state.member.userId : null;
  if (state.status !== 'signed-out' && (next === null || reader === next)) return;
  if (reader !== next && reader !== null) startNew();
  reader = next;
});
