import { type Command, exitCode, type Io, type ProgramIo } from '../src/command-line.ts';
import { loadConfig, unreadSettings, unsharedSettings } from '../src/config.ts';
import { firstSteps } from '../src/first-run.ts';
import { start } from '../src/main.ts';

export const startCommand: Command<ProgramIo> = {
  name: 'start',
  summary: 'Run the whole service until it is interrupted',
  help: `tally start

Runs the API, the web app and the worker. Without settings everything is embedded and kept in DATA_DIR (./data):
PostgreSQL, the identity provider, the market simulator. Settings are environment variables; see .env.example.
Says "ready <address>" once it serves; behind it, on the first start and on a terminal, where to sign in, as whom, and a
call that counts tokens. On a terminal the log is for people, elsewhere a JSON line each. Ends on SIGINT
or SIGTERM after answering what is under way; what takes longer than SHUTDOWN_TIMEOUT_SECONDS is cut off, and the exit
code is 1 then.`,
  async run(argv, io) {
    if (argv.length > 0) {
      io.err(`tally start: takes no arguments, but got "${argv.join(' ')}".\n`);
      return exitCode.usage;
    }
    const config = loadConfig();
    for (const name of unreadSettings()) io.err(`tally start: nothing reads the setting ${name} in .env.\n`);
    const unshared = unsharedSettings(config);
    if (unshared.length > 0)
      io.err(
        `tally start: processes that share DB_URL must also share ${unshared.join(', ')}; this one made its own.\n`,
      );
    const service = await start(config);
    if (service.firstRun) io.out(welcome(service.firstRun, config.DATA_DIR));
    io.out(`ready ${service.url}\n`);
    // Not in the log of every later start, since a password and a key are in it.
    if (service.known && (service.firstRun || io.isTerminal)) io.out(firstSteps(service.known));

    const failure = await Promise.race([io.interrupted, service.failed]);
    const late = setTimeout(() => giveUp(io), config.SHUTDOWN_TIMEOUT_SECONDS * 1000);
    await service.stop();
    clearTimeout(late);
    if (!failure) return exitCode.done;
    io.err(`tally start: ${failure.message}\n`);
    return exitCode.retryLater;
  },
};

/** A request or a statement that never ends must not keep the process from ending. */
function giveUp(io: Io): never {
  io.err('tally start: some work did not end in SHUTDOWN_TIMEOUT_SECONDS and was cut off.\n');
  process.exit(exitCode.refused);
}

function welcome(firstRun: NonNullable<Awaited<ReturnType<typeof start>>['firstRun']>, dataDir: string): string {
  const members = firstRun.members
    .map((member) => `  ${member.tier.padEnd(5)} ${member.email}  ${member.password}`)
    .join('\n');
  return `This is the first start. Keep what follows; it is in ${dataDir}/first-run.json too.

  API key  ${firstRun.api_key}

Members to sign in as:
${members}

`;
}
