import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../cli/main.ts';

interface ProgramResult {
  code: number;
  out: string;
  err: string;
}

/**
 * Runs `tally` within this process, for tests that do not depend on the process. A new process takes ten times as long.
 * The folder is empty, so that no settings file of this machine has an effect.
 */
export async function runInProcess(
  argv: readonly string[],
  settings: Record<string, string> = {},
  interrupted: Promise<void> = new Promise(() => {}),
): Promise<ProgramResult> {
  const folder = mkdtempSync(join(tmpdir(), 'tally-program-'));
  const cwd = process.cwd();
  const env = process.env;
  const captured = { out: '', err: '' };
  try {
    process.env = { PATH: env['PATH'], DATA_DIR: join(folder, 'data'), ...settings };
    process.chdir(folder);
    const code = await runProgram(argv, {
      out(text) {
        captured.out += text;
      },
      err(text) {
        captured.err += text;
      },
      readInput: async () => Buffer.alloc(0),
      isTerminal: false,
      interrupted,
    });
    return { code, ...captured };
  } finally {
    process.chdir(cwd);
    process.env = env;
    rmSync(folder, { recursive: true });
  }
}
