import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

/** Settings of PostgreSQL with which the coordinator logs each statement and each command that it sends for it. */
export const TASK_LOG_SETTINGS = {
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: 'log',
  log_rotation_size: 0,
  log_statement: 'all',
  log_min_messages: 'notice',
  client_min_messages: 'warning',
  'citus.log_remote_commands': 'on',
  'citus.log_local_commands': 'on',
};

/** Statement of the service with the commands that the coordinator ran for it. */
export interface StatementTasks {
  text: string;
  /** Number of commands on shards. */
  tasks: number;
  /** Number of workers that were asked. */
  servers: number;
  /** Largest number of shards of one distributed table. More than one means that the statement names no member. */
  shards: number;
  /** Tables of which several shards were asked. */
  spreadTables: readonly string[];
}

interface LogRecord {
  pid: number;
  dbname?: string;
  application_name?: string;
  message?: string;
  detail?: string;
  statement?: string;
}

const STATEMENT = /^(?:statement|execute [^:]+): (.*)$/s;
const COMMAND = /^(?:issuing|executing the command locally:) (.*)$/s;
/** A shard is named after its table and a number from 102008. */
const SHARD = /\b(?:public|market)\.(\w+?)_(\d{6,})\b/g;

/** Reads the statements of the service's connections, in the order of the log. */
export class TaskLog {
  readonly #folder: string;
  readonly #database: TestDatabase;
  #marks = 0;
  /** Position in bytes in each file after the last read line. */
  readonly #positions = new Map<string, number>();

  constructor(coordinatorFolder: string, database: TestDatabase) {
    this.#folder = join(coordinatorFolder, 'log');
    this.#database = database;
  }

  /** Returns the statements since the last call. Waits until the log contains all of them. */
  async readNew(): Promise<StatementTasks[]> {
    this.#marks += 1;
    const mark = `mark of the log ${this.#marks}`;
    await this.#database.owner(`select '${mark}'`);
    const records: LogRecord[] = [];
    await eventually(async () => {
      records.push(...(await this.#readRecords()));
      return records.some(({ message }) => message?.includes(mark));
    });
    return groupByStatement(
      records.filter(
        ({ dbname, application_name: application }) => dbname === this.#database.name && application === 'tally',
      ),
    );
  }

  async #readRecords(): Promise<LogRecord[]> {
    const files = (await readdir(this.#folder)).filter((name) => name.endsWith('.json')).toSorted();
    const records: LogRecord[] = [];
    for (const name of files) {
      await using file = await open(join(this.#folder, name));
      const position = this.#positions.get(name) ?? 0;
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(size - position), 0, size - position, position);
      const end = buffer.lastIndexOf('\n') + 1;
      this.#positions.set(name, position + end);
      const lines = buffer.toString('utf8', 0, end).split('\n').slice(0, -1);
      records.push(...lines.map((line) => JSON.parse(line) as LogRecord));
    }
    return records;
  }
}

function groupByStatement(records: readonly LogRecord[]): StatementTasks[] {
  const statements: { text: string; commands: { text: string; server: string }[] }[] = [];
  const current = new Map<number, (typeof statements)[number]>();
  for (const { pid, message = '', detail = '', statement = '' } of records) {
    const text = STATEMENT.exec(message)?.[1];
    // Citus plans parts of a statement in its session, which the log contains as statements.
    if (text !== undefined && !(text.includes('read_intermediate_result(') && current.has(pid))) {
      const started = { text, commands: [] };
      statements.push(started);
      current.set(pid, started);
      continue;
    }
    const command = COMMAND.exec(message)?.[1];
    if (command === undefined) continue;
    const owner = current.get(pid) ?? { text: statement, commands: [] };
    owner.commands.push({ text: command, server: /\S+:\d+/.exec(detail)?.[0] ?? 'coordinator' });
  }
  return statements.map(({ text, commands }) => countTasks(text, commands));
}

function countTasks(text: string, commands: readonly { text: string; server: string }[]): StatementTasks {
  const shards = new Map<string, Set<string>>();
  const tasks = commands.filter((command) => {
    const named = [...command.text.matchAll(SHARD)];
    for (const [, table, shard] of named) shards.set(table!, (shards.get(table!) ?? new Set()).add(shard!));
    return named.length > 0;
  });
  return {
    text,
    tasks: tasks.length,
    servers: new Set(tasks.map(({ server }) => server)).size,
    shards: Math.max(0, ...[...shards.values()].map(({ size }) => size)),
    spreadTables: [...shards].filter(([, { size }]) => size > 1).map(([table]) => table),
  };
}
