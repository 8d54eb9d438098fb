import { type Command, exitCode, formatTable } from '../src/command-line.ts';
import type { Finding } from '../src/installation/check-installation.ts';
import { loadUsableConfig } from '../src/config/load-config.ts';
import { examineInstallation } from '../src/installation/examine-installation.ts';

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check settings and everything that the service depends on',
  help: `tally doctor [--json]

Checks at once, and changes nothing: settings, database logins and TLS, data directory, migrations, clock, key of
connections, queue, worker, last backup, disk, Redis, identity provider, market data (one call with each key), exchange
rates, payments and mail. Each has a line with ok, warning, wrong or unavailable, and what to do. The service may run.
--json prints [{ "name", "state", "message" }].

Exit codes: 0 nothing is wrong (there may be warnings), 1 something is wrong, 2 usage, 3 something is unavailable.`,
  async run(argv, io) {
    const isJson = argv.length === 1 && argv[0] === '--json';
    if (argv.length > 0 && !isJson) {
      io.err('tally doctor: the only option is --json.\n');
      return exitCode.usage;
    }
    const { config, problems } = loadUsableConfig();
    const findings = await examineInstallation(config, problems);
    io.out(isJson ? `${JSON.stringify(findings)}\n` : formatFindings(findings));
    return toExitCode(findings);
  },
};

const formatFindings = (findings: readonly Finding[]): string =>
  formatTable([['check', 'state', ''], ...findings.map(({ name, state, message }) => [name, state, message])]);

/** What is wrong stays so, and therefore counts more than what may be available again. */
function toExitCode(findings: readonly Finding[]): number {
  if (findings.some(({ state }) => state === 'wrong')) return exitCode.failed;
  return findings.some(({ state }) => state === 'unavailable') ? exitCode.retryLater : exitCode.done;
}
