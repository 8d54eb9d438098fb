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
  /** The collector's address; `/v1/traces` is put behind it. */
  endpoint: string;
  /** Sent along, such as a key of the collector. */
  headers: Readonly<Record<string, string>>;
  logger: Pick<Logger, 'warn'>;
}

/** Milliseconds that the end of the process waits for the collector. */
const CLOSE_TIMEOUT_MS = 2_000;

/**
 * Sends spans of requests, statements, calls to other services and jobs to an OpenTelemetry collector. They come from
 * channels on which nobody publishes while nobody listens: nothing but this folder knows of OpenTelemetry, and it is
 * loaded only where a collector is configured. Attributes are patterns and names of ours, never a value.
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

/** A collector that is away loses spans for as long: one line a minute says so. */
const LOG_INTERVAL_MS = 60_000;

/** The exporter, with a line in the log where spans could not be sent. */
function reportFailures(exporter: SpanExporter, logger: Pick<Logger, 'warn'>): SpanExporter {
  let loggedAt = -Infinity;
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error && performance.now() - loggedAt > LOG_INTERVAL_MS) {
        loggedAt = performance.now();
        logger.warn({ reason: result.error.name, spans: spans.length }, 'spans could not be sent to the collector');
      }
      done(result);
    });
  return exporter;
}
