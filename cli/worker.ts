import { type Command, exitCode, type ProgramIo } from '../src/command-line.ts';
import { loadConfig, listSettingWarnings } from '../src/config/load-config.ts';
import { runWorker } from '../src/main.ts';

export const workerCommand: Command<ProgramIo> = {
  name: 'worker',
  summary: 'Run the job worker apart from the service',
  help: `tally worker

Runs the jobs of the queue until interrupted. Start the service with WORKER=off so that it runs no jobs itself.
With the embedded database it connects to the database server of a running service with the same DATA_DIR.`,
  async run(argv, io) {
    if (argv.length > 0) {
      io.err(`tally worker: expects no arguments, but got "${argv.join(' ')}".\n`);
      return exitCode.usage;
    }
    const config = loadConfig();
    for (const warning of listSettingWarnings()) io.err(`tally worker: ${warning}\n`);
    const worker = await runWorker(config);
    io.out('ready worker\n');
    await io.interrupted;
    await worker.stop();
    return exitCode.done;
  },
};
