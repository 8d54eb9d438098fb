import { spawn } from 'node:child_process';

/** How a step of the checks ended. */
export interface StepResult {
  name: string;
  ok: boolean;
  /** Both streams in the order in which they came. */
  output: string;
  seconds: number;
}

/** Runs one command of ours with this Node and gathers what it prints; `signal` stops it. */
export function runStep(
  name: string,
  args: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv; signal?: AbortSignal },
): Promise<StepResult> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const collectOutput = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on('data', collectOutput);
    child.stderr.on('data', collectOutput);
    let failure = '';
    child.on('error', (error) => (failure = `${error.message}\n`));
    child.on('close', (code) => {
      resolve({ name, ok: code === 0, output: output + failure, seconds: (performance.now() - started) / 1000 });
    });
  });
}
