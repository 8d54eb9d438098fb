import type { Logger } from 'pino';
import { AggregatorRegistry, type Registry } from 'prom-client';

/** What one process tells of each of its metrics, as prom-client's `get()` does; sent between processes. */
export type MetricSnapshot = readonly object[];

/** Where a metric that fails is reported. */
type FailureLog = Pick<Logger, 'error'>;

/** Every metric as text. One whose figures cannot be collected is left out and logged; never rejects. */
export async function readMetricsText(registry: Registry, logger: FailureLog): Promise<string> {
  const texts = await readEachMetric(registry, logger, (name) => registry.getSingleMetricAsString(name));
  return `${texts.join('\n\n')}\n`;
}

/** The same as figures, to be merged with those of other processes. */
export const readMetricSnapshot = (registry: Registry, logger: FailureLog): Promise<MetricSnapshot> =>
  readEachMetric(registry, logger, (name) => registry.getSingleMetric(name)!.get());

/** The text of several processes as one: each metric is added up, or put together as its `aggregator` says. */
export async function mergeMetricSnapshots(processes: readonly MetricSnapshot[]): Promise<string> {
  const merged = AggregatorRegistry.aggregate([...processes]);
  return merged.metrics();
}

async function readEachMetric<T>(
  registry: Registry,
  logger: FailureLog,
  read: (name: string) => Promise<T>,
): Promise<T[]> {
  // Each a list of one value, or of none where the metric failed.
  const results = await Promise.all(
    registry.getMetricsAsArray().map(async ({ name }) => {
      try {
        return [await read(name)];
      } catch (error) {
        logger.error({ err: error, metric: name }, 'a metric could not be collected');
        return [];
      }
    }),
  );
  return results.flat();
}
