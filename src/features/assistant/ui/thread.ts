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

type KeptAnswer = Extract<ConversationMessage, { role: 'assistant' }>;

/** What the panel shows below each other: questions, answers and plain reports. */
export interface Thread {
  /** Null until the service has taken the first question. */
  conversation: string | null;
  entries: readonly Entry[];
}

export type Entry = Question | Answer | ReportEntry;

type Question = Omit<Extract<ConversationMessage, { role: 'member' }>, 'created_at'>;

interface AnswerFault {
  code: NonNullable<KeptAnswer['failure']>['code'] | 'REFUSED';
  message: string;
  /** Asking again can help. */
  retry: boolean;
}

export interface Answer {
  role: 'assistant';
  /** The service's once it has begun, the page's own before. */
  id: string;
  /** `requested`: nothing of it has arrived. `polling`: the service goes on with it, and the page reads it at times. */
  status: 'requested' | 'streaming' | 'polling' | 'done' | 'failed';
  /** Seen while it came, so that its end is said. */
  live: boolean;
  /** The service knows it by its id: another try replaces it. */
  known: boolean;
  stopping: boolean;
  parts: readonly AnswerPart[];
  reason: EndReason | null;
  failure: AnswerFault | null;
  links: readonly SourceLink[];
  removedLinks: number;
  usage: KeptAnswer['usage'] | null;
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

export type ThreadEvent =
  | { type: 'asked'; id: string; text: string; symbol: string | null }
  | { type: 'retried'; id: string; answer: string }
  | { type: 'streamed'; event: StreamEvent }
  | { type: 'stopping'; on: boolean }
  | { type: 'failed'; fault: AnswerFault }
  | { type: 'stream_lost' }
  | { type: 'loaded'; conversation: Conversation }
  | { type: 'report_requested'; id: string; kind: ReportKind; symbol: string | null; title: string }
  | { type: 'report_loaded'; id: string; report: Report }
  | { type: 'report_failed'; id: string; error: Error }
  | { type: 'cleared' };

export const emptyThread: Thread = { conversation: null, entries: [] };

const createAnswer = (id: string): Answer => ({
  role: 'assistant',
  id,
  status: 'requested',
  live: true,
  known: false,
  stopping: false,
  parts: [],
  reason: null,
  failure: null,
  links: [],
  removedLinks: 0,
  usage: null,
});

/** The last answer, as long as it has not ended. */
export function getPendingAnswer({ entries }: Thread): Answer | undefined {
  const answer = entries.findLast((entry) => entry.role === 'assistant');
  return answer && answer.status !== 'done' && answer.status !== 'failed' ? answer : undefined;
}

/** The next state of what the panel shows. Nothing here reads a clock or the network. */
export function threadReducer(thread: Thread, event: ThreadEvent): Thread {
  const { entries } = thread;
  switch (event.type) {
    case 'asked': {
      const question: Question = { role: 'member', id: `${event.id}?`, text: event.text, symbol: event.symbol };
      return { ...thread, entries: [...entries, question, createAnswer(event.id)] };
    }
    case 'retried':
      return replace(thread, event.answer, () => createAnswer(event.id));
    case 'streamed': {
      const next = changePending(thread, (answer) => applyStreamEvent(answer, event.event));
      return event.event.type === 'start' ? { ...next, conversation: event.event.conversation_id } : next;
    }
    case 'stopping':
      return changePending(thread, (answer) => ({ ...answer, stopping: event.on }));
    case 'failed':
      return changePending(thread, (answer) => ({
        ...answer,
        status: 'failed',
        stopping: false,
        failure: event.fault,
      }));
    case 'stream_lost':
      return changePending(thread, (answer) => ({ ...answer, status: 'polling' }));
    case 'loaded':
      return loadConversation(thread, event.conversation);
    case 'report_requested': {
      const { id, kind, symbol, title } = event;
      const entry: ReportEntry = { role: 'report', id, kind, symbol, title, report: null, error: null };
      // Another try stands in the place of the one before.
      if (entries.some((other) => other.id === id)) return replace(thread, id, () => entry);
      return { ...thread, entries: [...entries, entry] };
    }
    case 'report_loaded':
      return changeReport(thread, event.id, { report: event.report });
    case 'report_failed':
      return changeReport(thread, event.id, { error: event.error });
    case 'cleared':
      return emptyThread;
  }
}

/** Puts another entry in the place of the one with this id. */
const replace = (thread: Thread, id: string, next: (entry: Entry) => Entry): Thread => ({
  ...thread,
  entries: thread.entries.map((entry) => (entry.id === id ? next(entry) : entry)),
});

/** Changes the pending answer; what arrives for one that has ended is dropped. */
function changePending(thread: Thread, next: (answer: Answer) => Answer): Thread {
  const answer = getPendingAnswer(thread);
  return answer ? replace(thread, answer.id, () => next(answer)) : thread;
}

const changeReport = (thread: Thread, id: string, what: Partial<ReportEntry>): Thread =>
  replace(thread, id, (entry) => (entry.role === 'report' ? { ...entry, ...what } : entry));

function applyStreamEvent(answer: Answer, event: StreamEvent): Answer {
  switch (event.type) {
    case 'start':
      return { ...answer, id: event.message_id, known: true, status: 'streaming' };
    case 'text':
      return { ...answer, parts: append(answer.parts, event.text) };
    case 'tool':
      return { ...answer, parts: putCall(answer.parts, event.call) };
    case 'usage':
      return { ...answer, usage: event.usage };
    case 'error':
      return {
        ...answer,
        status: 'failed',
        stopping: false,
        parts: refuseRunning(answer.parts),
        failure: { code: event.code, message: event.message, retry: event.retry },
      };
    case 'done':
      return {
        ...answer,
        status: 'done',
        stopping: false,
        parts: refuseRunning(answer.parts),
        reason: event.reason,
        links: event.links,
        removedLinks: event.removed_links,
        usage: event.usage,
      };
  }
}

function append(parts: readonly AnswerPart[], text: string): AnswerPart[] {
  const last = parts.at(-1);
  return last?.type === 'text'
    ? [...parts.slice(0, -1), { type: 'text', text: last.text + text }]
    : [...parts, { type: 'text', text }];
}

/** A call as it ends stands where it began. */
function putCall(parts: readonly AnswerPart[], call: ToolCall): AnswerPart[] {
  const part: AnswerPart = { type: 'tool', call };
  return parts.some((other) => other.type === 'tool' && other.call.id === call.id)
    ? parts.map((other) => (other.type === 'tool' && other.call.id === call.id ? part : other))
    : [...parts, part];
}

/** No call is under way once its answer has ended. */
const refuseRunning = (parts: readonly AnswerPart[]): AnswerPart[] =>
  parts.map((part) =>
    part.type === 'tool' && part.call.status === 'running'
      ? { type: 'tool', call: { ...part.call, status: 'refused', message: 'It was not finished.' } }
      : part,
  );

/** What the service has kept of a conversation takes the place of what the page had of it. */
function loadConversation(thread: Thread, { id, messages }: Conversation): Thread {
  const before = thread.conversation === id ? thread.entries : [];
  const wasLive = (message: string): boolean =>
    before.some((entry) => entry.role === 'assistant' && entry.id === message && entry.live);
  const reports = before.filter((entry) => entry.role === 'report');
  return { conversation: id, entries: [...messages.map((message) => entryOf(message, wasLive)), ...reports] };
}

function entryOf(message: ConversationMessage, wasLive: (id: string) => boolean): Entry {
  if (message.role === 'member') return { role: 'member', id: message.id, text: message.text, symbol: message.symbol };
  const { id, status, parts, reason, failure, links, usage } = message;
  const isPending = status === 'answering';
  return {
    role: 'assistant',
    id,
    known: true,
    stopping: false,
    reason,
    failure,
    links,
    usage,
    status: isPending ? 'polling' : status,
    live: isPending || wasLive(id),
    parts: isPending ? parts : refuseRunning(parts),
    removedLinks: message.removed_links,
  };
}

/** The addresses that an answer may link to: those that its tools have returned. */
export function allowedLinks({ parts, links }: Pick<Answer, 'parts' | 'links'>): ReadonlySet<string> {
  const found = new Set<string>();
  const add = ({ url }: SourceLink): void => {
    if (/^https?:\/\//i.test(url)) found.add(url);
  };
  links.forEach(add);
  for (const part of parts) if (part.type === 'tool' && part.call.status === 'ok') part.call.result.links.forEach(add);
  return found;
}
