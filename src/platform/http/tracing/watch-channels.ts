import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { type Context, type Span, SpanStatusCode } from '@opentelemetry/api';
import { markFailed, type Spans } from './create-spans.ts';

type TracedOperation = { span?: Span | undefined; error?: unknown };
type Statement = TracedOperation & { text: string };
type Job = TracedOperation & { task: string; attempt: number };
type AnsweredRequest = { response: ServerResponse; method: string; route: string; status: number };
type FetchRequest = { origin: string; method: string };

/** Creates spans from the channels of Node and the service. Returns a function that unsubscribes. */
export function watchChannels(spans: Spans, { ignoredOrigin }: { ignoredOrigin: string }): () => void {
  const unsubscribers: (() => void)[] = [];
  const subscribeTo = <Message>(name: string, handler: (message: Message) => void): void => {
    const listener = (message: unknown): void => handler(message as Message);
    subscribe(name, listener);
    unsubscribers.push(() => {
      unsubscribe(name, listener);
    });
  };
  watchRequests(spans, subscribeTo);
  watchFetches(spans, ignoredOrigin, subscribeTo);
  watchClientRequests(spans, ignoredOrigin, subscribeTo);

  subscribeTo<Statement>('tracing:tally:statement:start', (statement) => {
    const summary = summarise(statement.text);
    if (summary === undefined) return;
    statement.span = spans.startCallSpan(summary, { 'db.system.name': 'postgresql', 'db.query.summary': summary });
  });
  const { start } = tracingChannel<Context, Job>('tally:job');
  start.bindStore(spans.current, (job) => {
    job.span = spans.startJobSpan(`job ${job.task}`, {
      'messaging.destination.name': job.task,
      'job.attempt': job.attempt,
    });
    return spans.toContext(job.span);
  });
  unsubscribers.push(() => {
    start.unbindStore(spans.current);
  });
  for (const work of ['statement', 'job']) {
    subscribeTo<TracedOperation>(`tracing:tally:${work}:error`, ({ span, error }) => span && markFailed(span, error));
    subscribeTo<TracedOperation>(`tracing:tally:${work}:asyncStart`, ({ span }) => span?.end());
  }
  return () => unsubscribers.forEach((stop) => stop());
}

type SubscribeTo = <Message>(name: string, handler: (message: Message) => void) => void;

/** Ends the open span of a key, if it has one. */
function endSpan<Key extends object>(openSpans: WeakMap<Key, Span>, key: Key, beforeEnd?: (span: Span) => void): void {
  const span = openSpans.get(key);
  if (!span) return;
  openSpans.delete(key);
  beforeEnd?.(span);
  span.end();
}

/** Creates one span per incoming request, from Node's server to the log and metrics. */
function watchRequests(spans: Spans, subscribeTo: SubscribeTo): void {
  const openSpans = new WeakMap<ServerResponse, Span>();
  subscribeTo<{ request: IncomingMessage; response: ServerResponse }>('http.server.request.start', (message) => {
    const { request, response } = message;
    const method = toMethodName(request.method);
    const span = spans.startRequestSpan(request.headers, method, { 'http.request.method': method });
    openSpans.set(response, span);
    spans.current.enterWith(spans.toContext(span));
  });
  subscribeTo<AnsweredRequest>('tally:response', ({ response, method, route, status }) =>
    endSpan(openSpans, response, (span) => {
      span.updateName(`${toMethodName(method)} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    }),
  );
}

/** Creates spans of calls by `fetch`, which all go to services in the operator's settings. */
function watchFetches(spans: Spans, ignoredOrigin: string, subscribeTo: SubscribeTo): void {
  const openSpans = new WeakMap<FetchRequest, Span>();
  subscribeTo<{ request: FetchRequest }>('undici:request:create', ({ request }) => {
    if (request.origin === ignoredOrigin) return;
    const method = toMethodName(request.method);
    const server = new URL(request.origin).hostname;
    const span = spans.startCallSpan(method, { 'http.request.method': method, 'server.address': server });
    if (span) openSpans.set(request, span);
  });
  subscribeTo<{ request: FetchRequest; response: { statusCode: number } }>('undici:request:headers', (message) =>
    recordStatus(openSpans.get(message.request), message.response.statusCode),
  );
  subscribeTo<{ request: FetchRequest }>('undici:request:trailers', ({ request }) => endSpan(openSpans, request));
  subscribeTo<{ request: FetchRequest; error: unknown }>('undici:request:error', ({ request, error }) =>
    endSpan(openSpans, request, (span) => markFailed(span, error)),
  );
}

/**
 * Creates spans of calls by Node's HTTP client: clients of the aggregators, and files behind URLs, whose host is the
 * caller's private data.
 */
function watchClientRequests(spans: Spans, ignoredOrigin: string, subscribeTo: SubscribeTo): void {
  const openSpans = new WeakMap<ClientRequest, Span>();
  subscribeTo<{ request: ClientRequest }>('http.client.request.start', ({ request }) => {
    if (`${request.protocol}//${request.getHeader('host')?.toString() ?? request.host}` === ignoredOrigin) return;
    const method = toMethodName(request.method);
    const span = spans.startCallSpan(method, { 'http.request.method': method });
    if (span) openSpans.set(request, span);
  });
  subscribeTo<{ request: ClientRequest; response: IncomingMessage }>('http.client.response.finish', (message) =>
    endSpan(openSpans, message.request, (span) => recordStatus(span, message.response.statusCode ?? 0)),
  );
  subscribeTo<{ request: ClientRequest; error: unknown }>('http.client.request.error', ({ request, error }) =>
    endSpan(openSpans, request, (span) => markFailed(span, error)),
  );
}

/** Records the status of another service's response. */
function recordStatus(span: Span | undefined, status: number): void {
  span?.setAttribute('http.response.status_code', status);
  if (status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR });
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Maps unknown methods to OTHER, because a caller may send any word. */
const toMethodName = (method = ''): string => (METHODS.has(method) ? method : 'OTHER');

const VERB = /^\s*(?:with\b[\s\S]*?)?\b(select|insert|update|delete)\b/i;
const RELATION = /\b(?:from|into|update|join)\s+(?:only\s+)?((?:[a-z_]+\.)[a-z_]+)/i;
const MAX_CACHED_SUMMARIES = 1_000;

const summaryByText = new Map<string, string | undefined>();

/**
 * Summarizes a statement as its verb and the first table or function of a schema (`select public.plans`). Returns
 * undefined for transaction control. Statements contain placeholders and no values, and only these words leave the
 * process.
 */
function summarise(text: string): string | undefined {
  if (summaryByText.has(text)) return summaryByText.get(text);
  const verb = VERB.exec(text)?.[1]?.toLowerCase();
  const relation = RELATION.exec(text)?.[1];
  const summary = verb === undefined || relation === undefined ? undefined : `${verb} ${relation}`;
  if (summaryByText.size < MAX_CACHED_SUMMARIES) summaryByText.set(text, summary);
  return summary;
}
