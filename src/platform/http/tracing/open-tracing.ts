import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { readVersion } from '../version.ts';
import { withTimeout } from '../with-timeout.ts';
import { createSpans } from './create-spans.ts';
import { watchChannels } from './watch-channels.ts';

export interface TracingSettings {
  /** URL of the collector, to which `/v1/traces` is appended. */
  endpoint: string;
  /** Headers of each export, such as a key of the collector. */
  headers: Readonly<Record<string, string>>;
  logger: Pick<Logger, 'warn'>;
}

/** Timeout in ms for the final export when the process exits. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Sends spans of requests, statements, calls to other services and jobs to an OpenTelemetry collector. The spans are
 * created from diagnostics channels, which are free without subscribers. Only this folder depends on OpenTelemetry,
 * which is loaded only if a collector is configured. Attributes are patterns and names of ours, never values.
 */
export function openTracing({ endpoint, headers, logger }: TracingSettings) {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const exporter = reportFailures(new OTLPTraceExporter({ url, headers, timeoutMillis: 5_000 }), logger);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'tally', 'service.version': readVersion() }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
  });
  const spans = createSpans(provider.getTracer('tally'), new W3CTraceContextPropagator());
  const stopWatching = watchChannels(spans, { ignoredOrigin: new URL(url).origin });
  return {
    async close(): Promise<void> {
      stopWatching();
      await withTimeout(CLOSE_TIMEOUT_MS, provider.shutdown(), () => {}).catch(() => {});
    },
  };
}

/** Interval in ms of the warning while the collector is unavailable and spans are lost. */
const LOG_INTERVAL_MS = 60_000;

/** Returns the exporter with a warning in the log if spans could not be sent. */
function reportFailures(exporter: SpanExporter, logger: Pick<Logger, 'warn'>): SpanExporter {
  let loggedAt = -Infinity;
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error && performance.now() - loggedAt > LOG_INTERVAL_MS) {
        loggedAt = performance.now();
        logger.warn({ reason: result.error.name, spans: spans.length }, 'failed to send spans to the collector');
      }
      done(result);
    });
  return exporter;
}
