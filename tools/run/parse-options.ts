import { parseArgs, type ParseArgsOptionsConfig } from 'node:util';

interface ProgramDescription<T extends ParseArgsOptionsConfig> {
  /** How to call the program, and in one sentence what it does. */
  usage: string;
  options?: T;
  allowPositionals?: boolean;
}

/**
 * Returns the options and positional arguments of the running program, which is a tool or a benchmark. For `--help` it
 * prints `usage` and ends the process with 0. For a wrong option it prints what is wrong, then `usage`, and ends the
 * process with 2.
 */
export function parseOptions<const T extends ParseArgsOptionsConfig = {}>({
  usage,
  options,
  allowPositionals = false,
}: ProgramDescription<T>): { values: ReturnType<typeof parseArgs<{ options: T }>>['values']; positionals: string[] } {
  const args = process.argv.slice(2);
  if (args.includes('--help') || args.includes('-h')) return endWithUsage(usage, 0);
  try {
    return parseArgs({ args, options: options ?? ({} as T), allowPositionals });
  } catch (error) {
    console.error((error as Error).message);
    return endWithUsage(usage, 2);
  }
}

function endWithUsage(usage: string, exitCode: number): never {
  console.error(`usage: ${usage}`);
  process.exit(exitCode);
}
