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

/** Creates functions that start spans by kind. Attributes contain only the service's own terms. */
export function createSpans(tracer: Tracer, propagator: TextMapPropagator) {
  const current = new AsyncLocalStorage<Context>();
  const getter = {
    // Extract only the parent. Other values of a caller are not propagated.
    get: (headers: RequestHeaders, key: string) => (key === 'traceparent' ? headers[key] : undefined),
    keys: () => ['traceparent'],
  };
  return {
    /** Storage of the current context. The work of a request or job runs in one. */
    current,
    /** Returns the context in which the work of a span runs. */
    toContext: (span: Span): Context => trace.setSpan(ROOT_CONTEXT, span),
    /** Starts the span of a request, as a child of the caller's span if there is a `traceparent`. */
    startRequestSpan: (headers: RequestHeaders, name: string, attributes: Attributes): Span =>
      tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, propagator.extract(ROOT_CONTEXT, headers, getter)),
    /** Starts the span of a job. */
    startJobSpan: (name: string, attributes: Attributes): Span =>
      tracer.startSpan(name, { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT),
    /**
     * Starts the span of a call to another system within the current request or job. Returns undefined outside of one.
     */
    startCallSpan(name: string, attributes: Attributes): Span | undefined {
      const parent = current.getStore();
      return parent && tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
    },
  };
}

/** Marks a span as failed by the kind of the error. The message may contain user input. */
export function markFailed(span: Span, error: unknown): void {
  const { name = 'Error', code } = (error ?? {}) as { name?: unknown; code?: unknown };
  span.setAttribute('error.type', typeof code === 'string' && /^[A-Z0-9_]{3,40}$/.test(code) ? code : String(name));
  span.setStatus({ code: SpanStatusCode.ERROR });
}
