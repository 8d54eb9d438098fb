import { type Command, exitCode, type Io, type ProgramIo, parseArguments } from '../src/command-line.ts';
import { type Config, loadConfig, listSettingWarnings, ConfigError } from '../src/config/load-config.ts';
import { formatFirstSteps } from '../src/installation/first-run.ts';
import { openMetricsPeers, start } from '../src/main.ts';
import { type ProcessSupervisor, superviseProcesses, READY_MESSAGE } from './process-supervisor.ts';

type MetricsPeers = ReturnType<typeof openMetricsPeers>;

export const startCommand: Command<ProgramIo> = {
  name: 'start',
  summary: 'Run the whole service until it is interrupted',
  help: `tally start [--processes N] [--no-worker] [--attach] [--only token-api]

Runs the API, the web app and the worker. Without settings everything is embedded and kept in DATA_DIR (./data):
PostgreSQL, the identity provider, the market simulator. Settings are environment variables; see docs/reference/settings.md.
Prints "ready <address>" when it accepts requests. On the first start on a terminal it also prints the address and
credentials for signing in, and a sample request that counts tokens. The log is plain text on a terminal, and otherwise
JSON, one line per entry. SIGINT or SIGTERM stops the service after the requests in progress. Requests that take longer
than SHUTDOWN_TIMEOUT_SECONDS are aborted, and the exit code is 1.

  --processes N  serve the port with N processes on this machine (up to 64). They require REDIS_URL for shared rate
                 limits. The first process runs the jobs and owns the embedded database. If another process ends, it is
                 replaced. Only on Linux and FreeBSD, which distribute connections; see docs/how-to/scale-out.md
  --no-worker    run no jobs, like WORKER=off; run "tally worker" elsewhere
  --attach       join a service that runs on this machine with --processes: use its port and, without DB_URL, its database
  --only token-api
                 serve only the token-counting API (/v1), health and metrics on the database of DB_URL. Known keys are
                 accepted for a minute while the database is unavailable`,
  async run(argv, io) {
    const options = parseOptions(argv);
    if (typeof options === 'string') {
      io.err(`tally start: ${options}\n`);
      return exitCode.usage;
    }
    const { processes, attach, only } = options;
    const settings = loadConfig();
    const config = { ...settings, WORKER: settings.WORKER && options.worker };
    if (processes > 1 && config.REDIS_URL === undefined) throw new ConfigError(REDIS_REQUIRED);
    for (const warning of listSettingWarnings()) io.err(`tally start: ${warning}\n`);

    const metricsPeers =
      processes > 1 || attach ? openMetricsPeers(attach ? getParentChannel() : undefined) : undefined;
    let supervisor: ProcessSupervisor | undefined;
    const stopOthers = async (): Promise<boolean> => (await supervisor?.stop()) ?? true;
    const service = await start(config, { attach, only, metricsPeers, beforeDatabaseStops: stopOthers });
    if (metricsPeers && processes > 1)
      supervisor = await startSupervisor(processes - 1, {
        config,
        url: service.url,
        only,
        metricsPeers,
        io,
      }).catch(async (error) => {
        await service.stop();
        throw error;
      });
    if (service.firstRun)
      io.out(io.isTerminal ? formatWelcome(service.firstRun, config.DATA_DIR) : formatPlace(config.DATA_DIR));
    io.out(`ready ${service.url}\n`);
    if (attach) process.send?.(READY_MESSAGE);
    // A log keeps what it receives, so passwords and keys are printed to a terminal alone.
    if (service.storedFirstRun && io.isTerminal) io.out(formatFirstSteps(service.storedFirstRun));

    const failure = await Promise.race([io.interrupted, service.failed]);
    const timeout = setTimeout(() => {
      supervisor?.kill();
      exitOnTimeout(io);
    }, config.SHUTDOWN_TIMEOUT_SECONDS * 1000);
    // All processes stop at once, since they share the timeout.
    void stopOthers();
    await service.stop();
    const endedInOrder = await stopOthers();
    clearTimeout(timeout);
    if (failure) io.err(`tally start: ${failure.message}\n`);
    if (!endedInOrder) io.err(SHUTDOWN_TIMEOUT_MESSAGE);
    if (failure) return exitCode.retryLater;
    return endedInOrder ? exitCode.done : exitCode.failed;
  },
};

const REDIS_REQUIRED =
  'The setting REDIS_URL must be set for more than one process: otherwise each process counts limits for itself.';
const SHUTDOWN_TIMEOUT_MESSAGE =
  'tally start: some work did not end within SHUTDOWN_TIMEOUT_SECONDS and was canceled.\n';

/** Returns the options, or one sentence that describes the wrong argument. */
export function parseOptions(
  argv: readonly string[],
): { processes: number; worker: boolean; attach: boolean; only: 'token-api' | undefined } | string {
  const parsed = parseArguments(argv, {
    processes: 'string',
    'no-worker': 'boolean',
    attach: 'boolean',
    only: 'string',
    others: 'rest',
  });
  if (!parsed) return 'takes --processes N, --no-worker, --attach and --only token-api.';
  const { processes = '1', attach, only, 'no-worker': withoutWorker, others } = parsed;
  if (others.length > 0) return `expects no arguments, but got "${others.join(' ')}".`;
  if (!/^([1-9]|[1-5]\d|6[0-4])$/.test(processes)) return '--processes must be a whole number from 1 to 64.';
  if (attach && processes !== '1') return '--attach joins one process to others, so it takes no --processes.';
  if (only !== undefined && only !== 'token-api') return '--only must be token-api.';
  return { processes: Number(processes), worker: !withoutWorker, attach, only };
}

/** The channel to the process that started this one as a child. */
const getParentChannel = () => (process.send ? process : undefined);

/** Starts the processes beside this one. They share the port and leave the one-time work to this process. */
function startSupervisor(
  count: number,
  {
    config,
    url,
    only,
    metricsPeers,
    io,
  }: { config: Config; url: string; only: string | undefined; metricsPeers: MetricsPeers; io: Io },
): Promise<ProcessSupervisor> {
  return superviseProcesses({
    count,
    options: only === undefined ? [] : ['--only', only],
    metricsPeers,
    settings: { PORT: new URL(url).port || '80', BASE_URL: config.BASE_URL ?? '', DB_OWNER_URL: '' },
    warn: (message) => io.err(`tally start: ${message}\n`),
  });
}

/** Ends the process if a request or a statement does not finish in time. */
function exitOnTimeout(io: Io): never {
  io.err(SHUTDOWN_TIMEOUT_MESSAGE);
  process.exit(exitCode.failed);
}

const formatPlace = (dataDir: string): string =>
  `This is the first start. API key and members to sign in as: ${dataDir}/first-run.json\n`;

export function formatWelcome(
  firstRun: NonNullable<Awaited<ReturnType<typeof start>>['firstRun']>,
  dataDir: string,
): string {
  const members = firstRun.members
    .map((member) => `  ${member.tier.padEnd(5)} ${member.email}  ${member.password}`)
    .join('\n');
  const nextSteps = firstRun.next_steps?.map((step) => `  ${step}`).join('\n');
  return `This is the first start. Keep these values; they are also in ${dataDir}/first-run.json.

  API key  ${firstRun.api_key}

${nextSteps === undefined ? `Members to sign in as:\n${members}` : `What to do next:\n${nextSteps}`}

`;
}
