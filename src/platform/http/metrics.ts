import type { Logger } from 'pino';
import { collectDefaultMetrics, Counter, Gauge, Histogram, type Metric, Registry } from 'prom-client';
import type { ErrorCode } from '../../errors.ts';
import { mergeMetricSnapshots, readMetricsText } from './read-metrics.ts';
import type { MetricsPeers } from './process-metrics-channel.ts';
import { readVersion } from './version.ts';

/** Metrics of all answered requests. */
export interface RequestMetrics {
  readonly registry: Registry;
  /** Counts a response. `route` is the pattern, since each path would create a new series. */
  observe(method: string, route: string, status: number, milliseconds: number): void;
  /** Counts an error response by its code. */
  recordError(route: string, code: ErrorCode): void;
  /**
   * Returns every metric as text, merged over all processes that serve the port. A metric that cannot be collected is
   * omitted and logged. Never rejects.
   */
  read(logger: Pick<Logger, 'error'>): Promise<string>;
}

/**
 * Creates metrics with a separate registry per application, so that two of them (in tests) share no counts. `peers` are
 * the other processes of the service.
 */
export function createMetrics(peers?: MetricsPeers): RequestMetrics {
  const registry = new Registry();
  processMetrics ??= collectProcessMetrics();
  for (const metric of processMetrics) registry.registerMetric(metric);
  const durationHistogram = new Histogram({
    name: 'tally_http_request_duration_seconds',
    help: 'Response time by route pattern.',
    labelNames: ['method', 'route'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const responseCounter = new Counter({
    name: 'tally_http_requests_total',
    help: 'Responses by route pattern and status.',
    labelNames: ['method', 'route', 'status'] as const,
    registers: [registry],
  });
  const errorCounter = new Counter({
    name: 'tally_http_refusals_total',
    help: 'Error responses by route pattern and code; those of token counting are in tally_http_requests_total.',
    labelNames: ['route', 'code'] as const,
    registers: [registry],
  });
  new Gauge({
    name: 'tally_processes',
    help: 'Processes that serve the port and responded to this scrape.',
    registers: [registry],
  }).set(1);
  new Gauge({
    name: 'tally_build_info',
    help: 'Always 1. The label is the version of the program.',
    labelNames: ['version'] as const,
    aggregator: 'max', // the processes have one version
    registers: [registry],
  })
    .labels(readVersion())
    .set(1);
  // Cache of series by route and method, which are few. A look-up by labels costs as much as counting.
  const seriesByRoute = new Map<string, Map<string, Series>>();
  const getSeries = (method: string, route: string): Series => {
    let seriesByMethod = seriesByRoute.get(route);
    if (!seriesByMethod) {
      seriesByMethod = new Map();
      seriesByRoute.set(route, seriesByMethod);
    }
    let series = seriesByMethod.get(method);
    if (!series) {
      series = { duration: durationHistogram.labels(method, route), countByStatus: new Map() };
      seriesByMethod.set(method, series);
    }
    return series;
  };
  return {
    registry,
    observe(method, route, status, milliseconds) {
      const series = getSeries(method, route);
      series.duration.observe(milliseconds / 1000);
      let counter = series.countByStatus.get(status);
      if (!counter) {
        counter = responseCounter.labels(method, route, String(status));
        series.countByStatus.set(status, counter);
      }
      counter.inc();
    },
    recordError: (route, code) => errorCounter.inc({ route, code }),
    async read(logger) {
      const snapshots = (await peers?.collectAll()) ?? [];
      return snapshots.length > 1 ? mergeMetricSnapshots(snapshots) : readMetricsText(registry, logger);
    },
  };
}

/**
 * Metrics of the process. Measuring runs an endless timer every 10 ms, so all applications of the process share one
 * set.
 */
let processMetrics: readonly Metric[] | undefined;

function collectProcessMetrics(): readonly Metric[] {
  const register = new Registry();
  collectDefaultMetrics({ register });
  return register.getMetricsAsArray().map(({ name }) => register.getSingleMetric(name)!);
}

interface Series {
  duration: Histogram.Internal<string>;
  countByStatus: Map<number, Counter.Internal>;
}
