import { spawn } from 'node:child_process';

/** The result of a step of the checks. */
export interface StepResult {
  name: string;
  ok: boolean;
  /** Both streams in the order of arrival. */
  output: string;
  seconds: number;
}

/** Runs one of our commands with this Node and collects its output. `signal` stops it. */
export function runStep(
  name: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<StepResult> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collectOutput = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on('data', collectOutput);
    child.stderr.on('data', collectOutput);
    let failure = '';
    child.on('error', (error) => {
      failure = `${error.message}\n`;
    });
    child.on('close', (code) => {
      resolve({ name, ok: code === 0, output: output + failure, seconds: (performance.now() - started) / 1000 });
    });
  });
}
