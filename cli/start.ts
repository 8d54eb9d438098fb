import { type Command, exitCode, type Io, type ProgramIo, readArguments } from '../src/command-line.ts';
import { type Config, loadConfig, settingWarnings, WrongSetting } from '../src/config/load-config.ts';
import { firstSteps } from '../src/first-run.ts';
import { openSiblings, start } from '../src/main.ts';
import { type ForkedSiblings, forkSiblings, SERVES } from './fork-siblings.ts';

type Siblings = ReturnType<typeof openSiblings>;

export const startCommand: Command<ProgramIo> = {
  name: 'start',
  summary: 'Run the whole service until it is interrupted',
  help: `tally start [--processes N] [--no-worker] [--attach]

Runs the API, the web app and the worker. Without settings everything is embedded and kept in DATA_DIR (./data):
PostgreSQL, the identity provider, the market simulator. Settings are environment variables; see docs/reference/settings.md.
Says "ready <address>" once it serves; behind it, on the first start and on a terminal, where to sign in, as whom, and a
call that counts tokens. On a terminal the log is for people, elsewhere a JSON line each. Ends on SIGINT
or SIGTERM after answering what is under way; what takes longer than SHUTDOWN_TIMEOUT_SECONDS is cut off, and the exit
code is 1 then.

  --processes N  serve the port by N processes on this machine (up to 64); they need REDIS_URL, where they count limits
                 together. The first does the jobs and owns the embedded database; one of the others that ends is
                 replaced. On Linux and FreeBSD, which spread connections over them; see docs/how-to/scale-out.md
  --no-worker    do no jobs, as WORKER=off; run "tally worker" elsewhere
  --attach       join a service that runs on this machine with --processes: its port and, without DB_URL, its database`,
  async run(argv, io) {
    const options = readOptions(argv);
    if (typeof options === 'string') {
      io.err(`tally start: ${options}\n`);
      return exitCode.usage;
    }
    const { processes, attach } = options;
    const settings = loadConfig();
    const config = { ...settings, WORKER: settings.WORKER && options.worker };
    if (processes > 1 && config.REDIS_URL === undefined) throw new WrongSetting(NEEDS_REDIS);
    for (const warning of settingWarnings()) io.err(`tally start: ${warning}\n`);

    const siblings = processes > 1 || attach ? openSiblings(attach ? channel() : undefined) : undefined;
    let others: ForkedSiblings | undefined;
    const endOthers = async (): Promise<boolean> => (await others?.stop()) ?? true;
    const service = await start(config, { attach, siblings, beforeDatabaseStops: endOthers });
    if (siblings && processes > 1)
      others = await forkOthers(processes - 1, { config, url: service.url, siblings, io }).catch(async (error) => {
        await service.stop();
        throw error;
      });
    if (service.firstRun) io.out(welcome(service.firstRun, config.DATA_DIR));
    io.out(`ready ${service.url}\n`);
    if (attach) process.send?.(SERVES);
    // Not in the log of every later start, since a password and a key are in it.
    if (service.known && (service.firstRun || io.isTerminal)) io.out(firstSteps(service.known));

    const failure = await Promise.race([io.interrupted, service.failed]);
    const late = setTimeout(() => {
      others?.kill();
      giveUp(io);
    }, config.SHUTDOWN_TIMEOUT_SECONDS * 1000);
    // All at once, since they share the time.
    void endOthers();
    await service.stop();
    const inOrder = await endOthers();
    clearTimeout(late);
    if (failure) io.err(`tally start: ${failure.message}\n`);
    if (!inOrder) io.err(CUT_OFF);
    if (failure) return exitCode.retryLater;
    return inOrder ? exitCode.done : exitCode.refused;
  },
};

const NEEDS_REDIS =
  'The setting REDIS_URL must be set for more than one process: without it each would count the limits for itself.';
const CUT_OFF = 'tally start: some work did not end in SHUTDOWN_TIMEOUT_SECONDS and was cut off.\n';

/** What the arguments ask for, or one sentence that says what is wrong with them. */
export function readOptions(argv: readonly string[]): { processes: number; worker: boolean; attach: boolean } | string {
  const read = readArguments(argv, { processes: 'string', 'no-worker': 'boolean', attach: 'boolean', others: 'rest' });
  if (!read) return 'takes --processes N, --no-worker and --attach.';
  const { processes = '1', attach, 'no-worker': withoutWorker, others } = read;
  if (others.length > 0) return `takes no arguments, but got "${others.join(' ')}".`;
  if (!/^([1-9]|[1-5]\d|6[0-4])$/.test(processes)) return '--processes must be a whole number from 1 to 64.';
  if (attach && processes !== '1') return '--attach joins one process to others, so it takes no --processes.';
  return { processes: Number(processes), worker: !withoutWorker, attach };
}

/** The channel to the process that started this one for itself. */
const channel = () => (process.send ? process : undefined);

/** The processes beside this one: on its port, without what this one does for all of them. */
function forkOthers(
  count: number,
  { config, url, siblings, io }: { config: Config; url: string; siblings: Siblings; io: Io },
): Promise<ForkedSiblings> {
  return forkSiblings({
    count,
    siblings,
    settings: { PORT: new URL(url).port || '80', BASE_URL: config.BASE_URL ?? '', DB_OWNER_URL: '' },
    warn: (sentence) => io.err(`tally start: ${sentence}\n`),
  });
}

/** A request or a statement that never ends must not keep the process from ending. */
function giveUp(io: Io): never {
  io.err(CUT_OFF);
  process.exit(exitCode.refused);
}

export function welcome(firstRun: NonNullable<Awaited<ReturnType<typeof start>>['firstRun']>, dataDir: string): string {
  const members = firstRun.members
    .map((member) => `  ${member.tier.padEnd(5)} ${member.email}  ${member.password}`)
    .join('\n');
  const steps = firstRun.next_steps?.map((step) => `  ${step}`).join('\n');
  return `This is the first start. Keep what follows; it is in ${dataDir}/first-run.json too.

  API key  ${firstRun.api_key}

${steps === undefined ? `Members to sign in as:\n${members}` : `What to do next:\n${steps}`}

`;
}
