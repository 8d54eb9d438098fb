import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { type Context, type Span, SpanStatusCode } from '@opentelemetry/api';
import { fail, type Spans } from './create-spans.ts';

type Work = { span?: Span | undefined; error?: unknown };
type Statement = Work & { text: string };
type Job = Work & { task: string; attempt: number };
type Answer = { response: ServerResponse; method: string; route: string; status: number };
type FetchRequest = { origin: string; method: string };

/** Makes spans of what Node and the service publish; returns what ends that. */
export function watchChannels(spans: Spans, { ignoredOrigin }: { ignoredOrigin: string }): () => void {
  const stops: (() => void)[] = [];
  const listen = <Message>(name: string, heard: (message: Message) => void): void => {
    const listener = (message: unknown): void => heard(message as Message);
    subscribe(name, listener);
    stops.push(() => void unsubscribe(name, listener));
  };
  watchRequests(spans, listen);
  watchFetches(spans, ignoredOrigin, listen);
  watchClientRequests(spans, ignoredOrigin, listen);

  listen<Statement>('tracing:tally:statement:start', (statement) => {
    const summary = summarise(statement.text);
    if (summary === undefined) return;
    statement.span = spans.ofCall(summary, { 'db.system.name': 'postgresql', 'db.query.summary': summary });
  });
  const { start } = tracingChannel<Context, Job>('tally:job');
  start.bindStore(spans.current, (job) => {
    job.span = spans.ofJob(`job ${job.task}`, { 'messaging.destination.name': job.task, 'job.attempt': job.attempt });
    return spans.within(job.span);
  });
  stops.push(() => void start.unbindStore(spans.current));
  for (const work of ['statement', 'job']) {
    listen<Work>(`tracing:tally:${work}:error`, ({ span, error }) => span && fail(span, error));
    listen<Work>(`tracing:tally:${work}:asyncStart`, ({ span }) => span?.end());
  }
  return () => stops.forEach((stop) => stop());
}

type Listen = <Message>(name: string, heard: (message: Message) => void) => void;

/** Ends the span of what is under way, where it has one. */
function endSpan<Key extends object>(open: WeakMap<Key, Span>, key: Key, last?: (span: Span) => void): void {
  const span = open.get(key);
  if (!span) return;
  open.delete(key);
  last?.(span);
  span.end();
}

/** Requests to us, from Node's server to the moment when they are counted and logged: one span each. */
function watchRequests(spans: Spans, listen: Listen): void {
  const open = new WeakMap<ServerResponse, Span>();
  listen<{ request: IncomingMessage; response: ServerResponse }>('http.server.request.start', (message) => {
    const { request, response } = message;
    const method = nameOf(request.method);
    const span = spans.ofRequest(request.headers, method, { 'http.request.method': method });
    open.set(response, span);
    spans.current.enterWith(spans.within(span));
  });
  listen<Answer>('tally:answer', ({ response, method, route, status }) =>
    endSpan(open, response, (span) => {
      span.updateName(`${nameOf(method)} ${route}`);
      span.setAttributes({ 'http.route': route, 'http.response.status_code': status });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    }),
  );
}

/** Calls by `fetch`, all of which go to services that the operator's settings name. */
function watchFetches(spans: Spans, ignoredOrigin: string, listen: Listen): void {
  const open = new WeakMap<FetchRequest, Span>();
  listen<{ request: FetchRequest }>('undici:request:create', ({ request }) => {
    if (request.origin === ignoredOrigin) return;
    const method = nameOf(request.method);
    const server = new URL(request.origin).hostname;
    const span = spans.ofCall(method, { 'http.request.method': method, 'server.address': server });
    if (span) open.set(request, span);
  });
  listen<{ request: FetchRequest; response: { statusCode: number } }>('undici:request:headers', (message) =>
    noteStatus(open.get(message.request), message.response.statusCode),
  );
  listen<{ request: FetchRequest }>('undici:request:trailers', ({ request }) => endSpan(open, request));
  listen<{ request: FetchRequest; error: unknown }>('undici:request:error', ({ request, error }) =>
    endSpan(open, request, (span) => fail(span, error)),
  );
}

/** Calls by Node's own client: clients of the aggregators, and files behind URLs, whose host is the caller's matter. */
function watchClientRequests(spans: Spans, ignoredOrigin: string, listen: Listen): void {
  const open = new WeakMap<ClientRequest, Span>();
  listen<{ request: ClientRequest }>('http.client.request.start', ({ request }) => {
    if (`${request.protocol}//${request.getHeader('host')?.toString() ?? request.host}` === ignoredOrigin) return;
    const method = nameOf(request.method);
    const span = spans.ofCall(method, { 'http.request.method': method });
    if (span) open.set(request, span);
  });
  listen<{ request: ClientRequest; response: IncomingMessage }>('http.client.response.finish', (message) =>
    endSpan(open, message.request, (span) => noteStatus(span, message.response.statusCode ?? 0)),
  );
  listen<{ request: ClientRequest; error: unknown }>('http.client.request.error', ({ request, error }) =>
    endSpan(open, request, (span) => fail(span, error)),
  );
}

/** What another service answered a call with. */
function noteStatus(span: Span | undefined, status: number): void {
  span?.setAttribute('http.response.status_code', status);
  if (status >= 400) span?.setStatus({ code: SpanStatusCode.ERROR });
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A caller may send any word as method. */
const nameOf = (method = ''): string => (METHODS.has(method) ? method : 'OTHER');

const VERB = /^\s*(?:with\b[\s\S]*?)?\b(select|insert|update|delete)\b/i;
const RELATION = /\b(?:from|into|update|join)\s+(?:only\s+)?((?:[a-z_]+\.)[a-z_]+)/i;
const MOST = 1_000;

const known = new Map<string, string | undefined>();

/**
 * What a statement of ours does, to the first table or function of a schema that it names (`select public.plans`);
 * `undefined` for what opens and ends transactions. Texts hold placeholders alone, never a value; all the same nothing
 * of them but these words leaves the process.
 */
function summarise(text: string): string | undefined {
  if (known.has(text)) return known.get(text);
  const verb = VERB.exec(text)?.[1]?.toLowerCase();
  const relation = RELATION.exec(text)?.[1];
  const summary = verb === undefined || relation === undefined ? undefined : `${verb} ${relation}`;
  if (known.size < MOST) known.set(text, summary);
  return summary;
}
