import type {
  AnswerPart,
  Conversation,
  ConversationMessage,
  EndReason,
  Report,
  ReportKind,
  SourceLink,
  StreamEvent,
  ToolCall,
} from '../contract.ts';

type StoredAnswer = Extract<ConversationMessage, { role: 'assistant' }>;

/** State of the panel: questions, answers and plain reports, in order. */
export interface Thread {
  /** Null until the service has accepted the first question. */
  conversation: string | null;
  entries: readonly Entry[];
}

export type Entry = QuestionEntry | AnswerEntry | ReportEntry;

type QuestionEntry = Omit<Extract<ConversationMessage, { role: 'member' }>, 'created_at'>;

interface AnswerError {
  code: NonNullable<StoredAnswer['failure']>['code'] | 'REJECTED';
  message: string;
  /** Whether a retry can help. */
  retry: boolean;
}

export interface AnswerEntry {
  role: 'assistant';
  /** The id of the service after the start of the answer, and an id of the page before. */
  id: string;
  /** `requested`: no event has been received. `polling`: the service continues the answer, and the page polls it. */
  status: 'requested' | 'streaming' | 'polling' | 'done' | 'failed';
  /** Whether the answer was received live, so that its end is announced. */
  isLive: boolean;
  /** Whether the service has stored the answer. A retry then replaces it. */
  isStored: boolean;
  isStopping: boolean;
  parts: readonly AnswerPart[];
  reason: EndReason | null;
  failure: AnswerError | null;
  links: readonly SourceLink[];
  removedLinks: number;
  usage: StoredAnswer['usage'] | null;
}

export interface ReportEntry {
  role: 'report';
  id: string;
  kind: ReportKind;
  symbol: string | null;
  title: string;
  report: Report | null;
  error: Error | null;
}

export type ThreadAction =
  | { type: 'asked'; id: string; text: string; symbol: string | null }
  | { type: 'retried'; id: string; answer: string }
  | { type: 'streamed'; event: StreamEvent }
  | { type: 'stopping'; isStopping: boolean }
  | { type: 'failed'; error: AnswerError }
  | { type: 'stream_lost' }
  | { type: 'loaded'; conversation: Conversation }
  | { type: 'report_requested'; id: string; kind: ReportKind; symbol: string | null; title: string }
  | { type: 'report_loaded'; id: string; report: Report }
  | { type: 'report_failed'; id: string; error: Error }
  | { type: 'cleared' };

export const emptyThread: Thread = { conversation: null, entries: [] };

const createAnswer = (id: string): AnswerEntry => ({
  role: 'assistant',
  id,
  status: 'requested',
  isLive: true,
  isStored: false,
  isStopping: false,
  parts: [],
  reason: null,
  failure: null,
  links: [],
  removedLinks: 0,
  usage: null,
});

/** Returns the last answer if it is pending. */
export function getPendingAnswer({ entries }: Thread): AnswerEntry | undefined {
  const answer = entries.findLast((entry) => entry.role === 'assistant');
  return answer && answer.status !== 'done' && answer.status !== 'failed' ? answer : undefined;
}

/** Returns the next state of the panel. It is pure: it reads neither a clock nor the network. */
export function threadReducer(thread: Thread, action: ThreadAction): Thread {
  const { entries } = thread;
  switch (action.type) {
    case 'asked': {
      const question: QuestionEntry = { role: 'member', id: `${action.id}?`, text: action.text, symbol: action.symbol };
      return { ...thread, entries: [...entries, question, createAnswer(action.id)] };
    }
    case 'retried':
      return replaceEntry(thread, action.answer, () => createAnswer(action.id));
    case 'streamed': {
      const next = updatePendingAnswer(thread, (answer) => applyStreamEvent(answer, action.event));
      return action.event.type === 'start' ? { ...next, conversation: action.event.conversation_id } : next;
    }
    case 'stopping':
      return updatePendingAnswer(thread, (answer) => ({ ...answer, isStopping: action.isStopping }));
    case 'failed':
      return updatePendingAnswer(thread, (answer) => ({
        ...answer,
        status: 'failed',
        isStopping: false,
        failure: action.error,
      }));
    case 'stream_lost':
      return updatePendingAnswer(thread, (answer) => ({ ...answer, status: 'polling' }));
    case 'loaded':
      return loadConversation(thread, action.conversation);
    case 'report_requested': {
      const { id, kind, symbol, title } = action;
      const entry: ReportEntry = { role: 'report', id, kind, symbol, title, report: null, error: null };
      // A retry replaces the previous answer.
      if (entries.some((other) => other.id === id)) return replaceEntry(thread, id, () => entry);
      return { ...thread, entries: [...entries, entry] };
    }
    case 'report_loaded':
      return updateReport(thread, action.id, { report: action.report });
    case 'report_failed':
      return updateReport(thread, action.id, { error: action.error });
    case 'cleared':
      return emptyThread;
  }
}

/** Replaces the entry with this id. */
const replaceEntry = (thread: Thread, id: string, next: (entry: Entry) => Entry): Thread => ({
  ...thread,
  entries: thread.entries.map((entry) => (entry.id === id ? next(entry) : entry)),
});

/** Changes the pending answer. Events for a completed answer are dropped. */
function updatePendingAnswer(thread: Thread, next: (answer: AnswerEntry) => AnswerEntry): Thread {
  const answer = getPendingAnswer(thread);
  return answer ? replaceEntry(thread, answer.id, () => next(answer)) : thread;
}

const updateReport = (thread: Thread, id: string, changes: Partial<ReportEntry>): Thread =>
  replaceEntry(thread, id, (entry) => (entry.role === 'report' ? { ...entry, ...changes } : entry));

function applyStreamEvent(answer: AnswerEntry, event: StreamEvent): AnswerEntry {
  switch (event.type) {
    case 'start':
      return { ...answer, id: event.message_id, isStored: true, status: 'streaming' };
    case 'text':
      return { ...answer, parts: appendText(answer.parts, event.text) };
    case 'tool':
      return { ...answer, parts: upsertToolCall(answer.parts, event.call) };
    case 'usage':
      return { ...answer, usage: event.usage };
    case 'error':
      return {
        ...answer,
        status: 'failed',
        isStopping: false,
        parts: rejectRunningCalls(answer.parts),
        failure: { code: event.code, message: event.message, retry: event.retry },
      };
    case 'done':
      return {
        ...answer,
        status: 'done',
        isStopping: false,
        parts: rejectRunningCalls(answer.parts),
        reason: event.reason,
        links: event.links,
        removedLinks: event.removed_links,
        usage: event.usage,
      };
  }
}

function appendText(parts: readonly AnswerPart[], text: string): AnswerPart[] {
  const lastPart = parts.at(-1);
  return lastPart?.type === 'text'
    ? [...parts.slice(0, -1), { type: 'text', text: lastPart.text + text }]
    : [...parts, { type: 'text', text }];
}

/** Updates a tool call in place. */
function upsertToolCall(parts: readonly AnswerPart[], call: ToolCall): AnswerPart[] {
  const part: AnswerPart = { type: 'tool', call };
  return parts.some((other) => other.type === 'tool' && other.call.id === call.id)
    ? parts.map((other) => (other.type === 'tool' && other.call.id === call.id ? part : other))
    : [...parts, part];
}

/** Marks running calls as failed when their answer ends. */
const rejectRunningCalls = (parts: readonly AnswerPart[]): AnswerPart[] =>
  parts.map((part) =>
    part.type === 'tool' && part.call.status === 'running'
      ? { type: 'tool', call: { ...part.call, status: 'refused', message: 'Not completed.' } }
      : part,
  );

/** Replaces the page's state of a conversation with the stored one. */
function loadConversation(thread: Thread, { id, messages }: Conversation): Thread {
  const previousEntries = thread.conversation === id ? thread.entries : [];
  const wasLive = (message: string): boolean =>
    previousEntries.some((entry) => entry.role === 'assistant' && entry.id === message && entry.isLive);
  const reports = previousEntries.filter((entry) => entry.role === 'report');
  return { conversation: id, entries: [...messages.map((message) => toEntry(message, wasLive)), ...reports] };
}

function toEntry(message: ConversationMessage, wasLive: (id: string) => boolean): Entry {
  if (message.role === 'member') return { role: 'member', id: message.id, text: message.text, symbol: message.symbol };
  const { id, status, parts, reason, failure, links, usage } = message;
  const isPending = status === 'answering';
  return {
    role: 'assistant',
    id,
    isStored: true,
    isStopping: false,
    reason,
    failure,
    links,
    usage,
    status: isPending ? 'polling' : status,
    isLive: isPending || wasLive(id),
    parts: isPending ? parts : rejectRunningCalls(parts),
    removedLinks: message.removed_links,
  };
}

/** Returns the URLs that an answer may link to: those returned by its tools. */
export function getAllowedLinks({ parts, links }: Pick<AnswerEntry, 'parts' | 'links'>): ReadonlySet<string> {
  const urls = new Set<string>();
  const addLink = ({ url }: SourceLink): void => {
    if (/^https?:\/\//i.test(url)) urls.add(url);
  };
  links.forEach(addLink);
  for (const part of parts)
    if (part.type === 'tool' && part.call.status === 'ok') part.call.result.links.forEach(addLink);
  return urls;
}
