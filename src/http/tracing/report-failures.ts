import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

/** A collector that is away loses spans for as long: one line a minute says so. */
const QUIET_MS = 60_000;

/** The exporter, with a line in the log where spans could not be sent. */
export function reportFailures(exporter: SpanExporter, logger: Pick<Logger, 'warn'>): SpanExporter {
  let toldAt = -Infinity;
  const send = exporter.export.bind(exporter);
  exporter.export = (spans, done) =>
    send(spans, (result) => {
      if (result.error && performance.now() - toldAt > QUIET_MS) {
        toldAt = performance.now();
        logger.warn({ reason: result.error.name, spans: spans.length }, 'spans could not be sent to the collector');
      }
      done(result);
    });
  return exporter;
}
