import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs a file of the repository in a process of its own (TypeScript with this Node, `.sh` with bash), on this terminal,
 * and forwards signals. Resolves to its exit code. A process that a signal ended has 128 plus the signal's number, as
 * in a shell.
 */
export async function runFile(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<number> {
  const program = file.endsWith('.sh') ? 'bash' : process.execPath;
  const child = spawn(program, [file, ...args], { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // A terminal sends Ctrl-C to both processes, and a second one would end the child at once.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (signal ? constants.signals[signal] : 0);
}
