import type { Logger } from 'pino';
import { AggregatorRegistry, type Registry } from 'prom-client';

/** Metrics of one process as returned by prom-client's `get()`, sent between processes. */
export type MetricSnapshot = readonly object[];

/** Logger for metrics that fail. */
type FailureLog = Pick<Logger, 'error'>;

/** Returns every metric as text. A metric that cannot be collected is omitted and logged. Never rejects. */
export async function readMetricsText(registry: Registry, logger: FailureLog): Promise<string> {
  const texts = await readEachMetric(registry, logger, (name) => registry.getSingleMetricAsString(name));
  return `${texts.join('\n\n')}\n`;
}

/** Returns every metric as data, for merging with those of other processes. */
export const readMetricSnapshot = (registry: Registry, logger: FailureLog): Promise<MetricSnapshot> =>
  readEachMetric(registry, logger, (name) => registry.getSingleMetric(name)!.get());

/**
 * Merges the metrics of several processes as text. Each metric is summed, or combined as its `aggregator` specifies.
 */
export async function mergeMetricSnapshots(processes: readonly MetricSnapshot[]): Promise<string> {
  const merged = AggregatorRegistry.aggregate([...processes]);
  return merged.metrics();
}

async function readEachMetric<T>(
  registry: Registry,
  logger: FailureLog,
  read: (name: string) => Promise<T>,
): Promise<T[]> {
  // Each result is a list of one value, or empty if the metric failed.
  const results = await Promise.all(
    registry.getMetricsAsArray().map(async ({ name }) => {
      try {
        return [await read(name)];
      } catch (error) {
        logger.error({ err: error, metric: name }, 'failed to collect a metric');
        return [];
      }
    }),
  );
  return results.flat();
}
