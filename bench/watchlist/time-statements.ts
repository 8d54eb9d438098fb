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

/** Whether pgbench is on this machine; without it the driver's own loop takes its place. */
export const hasPgbench = spawnSync('pgbench', ['--version']).status === 0;

/**
 * Milliseconds of each run of one of the scripts (drawn at random), one connection, one after another. A script is a
 * list of statements with their values written in; each run is timed as a whole.
 */
export async function timeScripts(
  url: string,
  scripts: readonly (readonly string[])[],
  runs: number,
): Promise<number[]> {
  return hasPgbench ? timeByPgbench(url, scripts, runs) : timeByDriver(url, scripts, runs);
}

function timeByPgbench(url: string, scripts: readonly (readonly string[])[], runs: number): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'tally-pgbench-'));
  try {
    const files = scripts.map((statements, index) => {
      const file = join(folder, `script-${index}.sql`);
      writeFileSync(file, statements.map((statement) => `${statement};\n`).join(''));
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

/** The statement with its values written in, on one line, as pgbench reads it. */
export function inlineParameters({ text, values }: RecordedStatement): string {
  const oneLine = text.replace(/\s+/g, ' ').trim();
  return oneLine.replace(/\$(\d+)(::[a-z0-9_]+(\[\])?)?/g, (_all, index: string, cast: string | undefined) => {
    const value = values[Number(index) - 1];
    const literal =
      value === null || value === undefined
        ? 'null'
        : Array.isArray(value)
          ? `'{${value.join(',')}}'`
          : typeof value === 'number' || typeof value === 'boolean'
            ? String(value)
            : `'${toSqlText(value).replaceAll("'", "''")}'`;
    return `${literal}${cast ?? ''}`;
  });
}

function toSqlText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
