import { spawnSync } from 'node:child_process';
import type { TestContext } from 'vitest';

/** Debian installs some programs where only root's PATH looks. */
export const PROGRAM_PATH = `${process.env['PATH']}:/usr/sbin`;

/** Skips the test if a program that `test/slow/install-parts.sh` installs is missing. */
export function skipWithout(t: TestContext, program: string): void {
  const { error } = spawnSync(program, ['--version'], { env: { PATH: PROGRAM_PATH } });
  t.skip(error !== undefined, `no ${program}; bash test/slow/install-parts.sh installs it`);
}
