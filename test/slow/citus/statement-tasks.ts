import { appendFile, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Citus } from '../../support/citus.ts';
import { queryAsOwner } from '../../support/cluster.ts';
import type { TestDatabase } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';

/** Settings of PostgreSQL that a `TaskLog` needs at the server's start. They log no statement yet. */
export const LOG_FILE_SETTINGS = {
  logging_collector: 'on',
  log_destination: 'jsonlog',
  log_directory: 'log',
  log_rotation_size: 0,
};

/** With these settings a server logs each statement and each command that it sends to another server for it. */
const LOG_STATEMENTS = `
log_statement = 'all'
log_min_messages = 'notice'
client_min_messages = 'warning'
citus.log_remote_commands = on
citus.log_local_commands = on
`;

/** Statement of the service with the commands that its server ran for it. */
export interface StatementTasks {
  text: string;
  /** Number of commands on shards. */
  tasks: number;
  /** Number of servers that ran commands. */
  servers: number;
  /** Largest number of shards of one distributed table. More than one means that the statement names no member. */
  shards: number;
  /** Tables of which several shards were asked. */
  spreadTables: readonly string[];
  /** Whether the coordinator copied rows to workers after it had read shards. */
  passesRows: boolean;
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

/** Reads the statements of the service's connections to any server of a cluster, in the order of each server's log. */
export class TaskLog {
  readonly #citus: Citus;
  readonly #database: TestDatabase;
  #marks = 0;
  /** Position in bytes in each file after the last read line. */
  readonly #positions = new Map<string, number>();

  constructor(citus: Citus, database: TestDatabase) {
    this.#citus = citus;
    this.#database = database;
  }

  /** Lets all servers log statements, which costs processor time. They must run with `LOG_FILE_SETTINGS`. */
  async start(): Promise<void> {
    for (const folder of this.#citus.folders) await appendFile(join(folder, 'postgresql.conf'), LOG_STATEMENTS);
    for (const url of this.#listUrls()) {
      await queryAsOwner(url, 'select pg_reload_conf()');
      await eventually(async () => {
        const [row] = await queryAsOwner<{ log_statement: string }>(url, 'show log_statement');
        return row!.log_statement === 'all';
      });
    }
    await this.readNew();
  }

  /** Returns the statements since the last call. Waits until the logs contain all of them. */
  async readNew(): Promise<StatementTasks[]> {
    this.#marks += 1;
    const mark = `'mark of the log ${this.#marks}'`;
    const urls = this.#listUrls();
    for (const url of urls) await queryAsOwner(url, `select ${mark}`);
    const records: LogRecord[] = [];
    await eventually(async () => {
      for (const folder of this.#citus.folders) records.push(...(await this.#readRecords(join(folder, 'log'))));
      return records.filter(({ message }) => message?.includes(mark)).length === urls.length;
    });
    return groupByStatement(
      records.filter(
        ({ dbname, application_name: application }) => dbname === this.#database.name && application === 'tally',
      ),
    );
  }

  #listUrls(): string[] {
    const { ownerUrl, workers = [] } = this.#citus.cluster;
    return [ownerUrl, ...workers];
  }

  async #readRecords(folder: string): Promise<LogRecord[]> {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
    const records: LogRecord[] = [];
    for (const path of names.map((name) => join(folder, name))) {
      await using file = await open(path);
      const position = this.#positions.get(path) ?? 0;
      const { size } = await file.stat();
      const { buffer } = await file.read(Buffer.alloc(size - position), 0, size - position, position);
      const end = buffer.lastIndexOf('\n') + 1;
      this.#positions.set(path, position + end);
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
    // Citus plans and runs parts of a statement in its session, which the log contains as statements.
    const isPart = text?.includes('read_intermediate_result(') || (text?.search(SHARD) ?? -1) >= 0;
    if (text !== undefined && !(isPart && current.has(pid))) {
      const started = { text, commands: [] };
      statements.push(started);
      current.set(pid, started);
      continue;
    }
    const command = COMMAND.exec(message)?.[1];
    if (command === undefined) continue;
    const owner = current.get(pid) ?? { text: statement, commands: [] };
    owner.commands.push({ text: command, server: /\S+:\d+/.exec(detail)?.[0] ?? 'itself' });
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
    passesRows: commands.some((command, index) => /^copy\b/i.test(command.text) && index > commands.indexOf(tasks[0]!)),
  };
}
