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

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;
export type Spans = ReturnType<typeof createSpans>;

/** Spans by their kind. What stands in one beside its name is the service's own words. */
export function createSpans(tracer: Tracer, propagator: TextMapPropagator) {
  const current = new AsyncLocalStorage<Context>();
  const getter = {
    // What a caller says beside the parent is nothing that we would pass on.
    get: (headers: RequestHeaders, key: string) => (key === 'traceparent' ? headers[key] : undefined),
    keys: () => ['traceparent'],
  };
  return {
    /** The context of what runs now; a request's or job's work is run in one. */
    current,
    /** The context in which the work of a span runs. */
    toContext: (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span),
    /** A request's own span, a child of its caller's where there is a `traceparent`. */
    startRequestSpan: (headers: RequestHeaders, name: string, attributes: Attributes): Span =>
      tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, propagator.extract(ROOT_CONTEXT, headers, getter)),
    /** A job's own span. */
    startJobSpan: (name: string, attributes: Attributes): Span =>
      tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT),
    /** A call to another system within the current request or job; `undefined` outside of one. */
    startCallSpan(name: string, attributes: Attributes): Span | undefined {
      const parent = current.getStore();
      return parent && tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    },
  };
}

/** Marks a span as failed by the kind of the error: its message may hold what somebody sent. */
export function markFailed(span: Span, error: unknown): void {
  const { name = 'Error', code } = (error ?? {}) as { name?: unknown; code?: unknown };
  span.setAttribute('error.type', typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code) ? code : String(name));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
