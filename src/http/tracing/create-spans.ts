import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
  type Tracer,
} from '@opentelemetry/api';

/** Spans by their kind. Facts stand in a span beside its name; all of them are the service's own words. */
export interface Spans {
  /** The context of what runs now; a request's or job's work is run in one. */
  readonly current: AsyncLocalStorage<Context>;
  /** A request's own span, a child of its caller's where there is a `traceparent`. */
  ofRequest(headers: Readonly<Record<string, string | string[] | undefined>>, name: string, facts: Attributes): Span;
  /** A job's own span. */
  ofJob(name: string, facts: Attributes): Span;
  /** A call to another system within the current request or job; `undefined` outside of one. */
  ofCall(name: string, facts: Attributes): Span | undefined;
  /** The context in which the work of a span runs. */
  within(span: Span): Context;
}

export function createSpans(tracer: Tracer, propagator: TextMapPropagator): Spans {
  const current = new AsyncLocalStorage<Context>();
  const within = (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span);
  const getter = {
    get: (headers: Readonly<Record<string, string | string[] | undefined>>, key: string) =>
      // What a caller says beside the parent is nothing that we would pass on.
      key === 'traceparent' ? headers[key] : undefined,
    keys: () => ['traceparent'],
  };
  return {
    current,
    within,
    ofRequest: (headers, name, attributes) =>
      tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, propagator.extract(ROOT_CONTEXT, headers, getter)),
    ofJob: (name, attributes) => tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT),
    ofCall(name, attributes) {
      const parent = current.getStore();
      return parent && tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    },
  };
}

/** Marks a span as failed by the kind of the error: its message may hold what somebody sent. */
export function fail(span: Span, error: unknown): void {
  const { name = 'Error', code } = (error ?? {}) as { name?: unknown; code?: unknown };
  span.setAttribute('error.type', typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code) ? code : String(name));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
