import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export const secrets = { authenticator: 'authenticator-test', service: 'service-test', assistant: 'assistant-test' };

/** A process that starts the embedded server or migrates, for a test that kills it or runs it in a race. */
interface DatabaseChild {
  process: ChildProcess;
  /** Its first line: `ready <ownerUrl>`, `applied <names>` or `<name of the error>: <message>`. */
  answer: Promise<string>;
  ended: Promise<unknown>;
}

export function runDatabaseChild(...command: ['start' | 'attach' | 'throwaway' | 'migrate', string]): DatabaseChild {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...command], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  const response = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
      if (output.includes('\n')) resolve(output.split('\n')[0] ?? '');
    });
    // At `exit` the last output may still be in the pipe.
    child.on('close', () => resolve(output.trim()));
  });
  return { process: child, answer: response, ended: once(child, 'exit') };
}

if (import.meta.main) {
  const [, , command, databaseUrls = ''] = process.argv;
  // Each command imports only what it needs, since a test starts many.
  try {
    if (command === 'migrate') {
      const { migrate } = await import('../../src/platform/database/migrate.ts');
      const { migrateJobs } = await import('../../src/platform/jobs/migrate-jobs.ts');
      const { applied } = await migrate(databaseUrls, { afterMigrations: migrateJobs });
      console.log(`applied ${applied.join(' ')}`);
    } else {
      const { startEmbedded } = await import('../../src/platform/database/embedded.ts');
      const server = await startEmbedded({
        dataDir: databaseUrls,
        secrets,
        attach: command === 'attach',
        throwaway: command === 'throwaway',
        durable: false,
      });
      console.log(`ready ${server.ownerUrl}`);
      await once(process.stdin.resume(), 'end');
      await server.stop();
    }
  } catch (error) {
    console.log(`${(error as Error).name}: ${(error as Error).message}`);
  }
}
