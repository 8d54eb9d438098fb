/**
 * `npm run lab -- monitoring`: starts the service and a Prometheus (both on this machine, the second must be
 * installed), sends a few requests, and runs every expression of deploy/monitoring's alerts and dashboard. Prints each
 * with how many series it found; exit code 1 where Prometheus refuses one or it names a metric that the service does
 * not have.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { startRedis } from '../test/support/several-processes.ts';
import { freePort } from './run/free-port.ts';
import { startService } from './run/service-process.ts';

const monitoring = fileURLToPath(new URL('../deploy/monitoring/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tally-monitoring-'));
const [metricsPort, prometheusPort] = [await freePort(), await freePort()];
const redis = await startRedis();
const service = startService({
  DATA_DIR: join(folder, 'data'),
  METRICS_PORT: String(metricsPort),
  REDIS_URL: redis.url,
  // Nobody listens there: the outbox shows its figures.
  ...{ POSTHOG_API_KEY: 'phc_local', POSTHOG_URL: 'http://127.0.0.1:9' },
});
const base = await service.ready;

const rules = parse(readFileSync(join(monitoring, 'alerts.yaml'), 'utf8')) as {
  groups: { rules: { record?: string; expr: string }[] }[];
};
const dashboard = JSON.parse(readFileSync(join(monitoring, 'dashboard.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string }[] }[];
};
const expressions = [
  ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll('$job', 'tally'))),
];

const config = {
  global: { scrape_interval: '1s', evaluation_interval: '1s' },
  rule_files: [join(monitoring, 'alerts.yaml')],
  scrape_configs: [{ job_name: 'tally', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
};
writeFileSync(join(folder, 'prometheus.yaml'), JSON.stringify(config));
const prometheus = spawn(
  'prometheus',
  [
    `--config.file=${join(folder, 'prometheus.yaml')}`,
    `--storage.tsdb.path=${join(folder, 'tsdb')}`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
    '--log.level=error',
  ],
  { stdio: ['ignore', 'inherit', 'inherit'] },
);
let failures = 0;
try {
  await once(prometheus, 'spawn');
  for (let second = 0; second < 15; second += 1) {
    await fetch(`${base}/healthz`);
    await fetch(`${base}/api/me`);
    await fetch(`${base}/v1/messages/count_tokens`, { method: 'POST', body: '{}' });
    await sleep(1_000);
  }
  for (const expression of expressions) {
    const url = `http://127.0.0.1:${prometheusPort}/api/v1/query?query=${encodeURIComponent(expression)}`;
    const answer = (await (await fetch(url)).json()) as { status: string; error?: string; data?: { result: object[] } };
    if (answer.status !== 'success') failures += 1;
    console.log(
      `${answer.status === 'success' ? `${answer.data!.result.length} series` : answer.error}: ${expression}`,
    );
  }
  failures += await unknownMetrics();
} finally {
  prometheus.kill();
  await service.end('SIGTERM');
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = failures === 0 ? 0 : 1;

/** Metrics that an expression names and neither the service, Prometheus nor a recording rule has. */
async function unknownMetrics(): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map((match) => match[1]!));
  known.add('up');
  for (const { rules: some } of rules.groups) for (const { record } of some) if (record) known.add(record);
  const unknown = expressions
    .flatMap((expression) => expression.match(/\b[a-z][a-z_:]*(?=[{[ ]|$)/g) ?? [])
    .filter((name) => /_|^up$/.test(name) && !/^(histogram_quantile|label_values)$/.test(name))
    .map((name) => name.replace(/_(bucket|count|sum)$/, ''))
    .filter((name) => !known.has(name) && !known.has(`${name}_total`));
  for (const name of new Set(unknown)) console.error(`No metric of the service is named ${name}.`);
  return new Set(unknown).size;
}
