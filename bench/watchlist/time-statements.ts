import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';

/** A statement as the server sent it. */
export interface RecordedStatement {
  text: string;
  values: readonly unknown[];
}

/** Whether pgbench is installed. If not, a loop of the driver replaces it. */
export const hasPgbench = spawnSync('pgbench', ['--version']).status === 0;

/**
 * Returns the ms of each run of a randomly selected script, sequentially on one connection. A script is a list of
 * statements with inlined values. Each run is measured as a whole.
 */
export async function timeScripts(
  url: string,
  scripts: readonly (readonly string[])[],
  runs: number,
): Promise<number[]> {
  return hasPgbench ? timeByPgbench(url, scripts, runs) : timeByDriver(url, scripts, runs);
}

/**
 * The end of a script. pgbench reads the clock once per wake-up. If it loses the processor while it sends a statement, as
 * beside load, the response is there before it waits, and it would log the time of the start as the end: 0 µs. A
 * meta-command makes it read the clock again.
 */
const READ_CLOCK = '\\set end 1\n';

function timeByPgbench(url: string, scripts: readonly (readonly string[])[], runs: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'tally-pgbench-'));
  try {
    const files = scripts.map((statements, index) => {
      const file = join(folder, `script-${index}.sql`);
      writeFileSync(file, `${statements.map((statement) => `${statement};\n`).join('')}${READ_CLOCK}`);
      return ['-f', file];
    });
    const prefix = join(folder, 'log');
    const result = spawnSync(
      'pgbench',
      ['-n', '-c', '1', '-t', String(runs), '-M', 'extended', '-l', `--log-prefix=${prefix}`, ...files.flat(), url],
      { encoding: 'utf8' },
    );
    if (result.status !== 0) throw new Error(`pgbench failed: ${result.stderr}`);
    const logs = readdirSync(folder).filter((name) => name.startsWith('log'));
    return logs
      .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
      .map((line) => Number(line.split(' ')[2]) / 1000);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function timeByDriver(url: string, scripts: readonly (readonly string[])[], runs: number): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const times: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      const script = scripts[Math.floor(Math.random() * scripts.length)]!;
      const started = performance.now();
      for (const text of script) await client.query({ text, queryMode: 'extended' } as pg.QueryConfig);
      times.push(performance.now() - started);
    }
    return times;
  } finally {
    await client.end();
  }
}

/** Returns the statement with inlined values on one line, in the format of pgbench. */
export function inlineParameters({ text, values }: RecordedStatement): string {
  const oneLine = text.replace(/\s+/g, ' ').trim();
  return oneLine.replace(/\$(\d+)(::[a-z0-9_]+(\[\])?)?/g, (_all, index: string, cast: string | undefined) => {
    const value = values[Number(index) - 1];
    return `${toSqlLiteral(value)}${cast ?? ''}`;
  });
}

function toSqlLiteral(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return `'{${value.join(',')}}'`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return `'${toSqlText(value).replaceAll("'", "''")}'`;
}

function toSqlText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
