import type { FormProblem } from '../../kit/form-errors.tsx';
import type * as Passkeys from './passkeys.ts';

/** Loads the code of passkeys, which most visits do not need, and runs it. Returns the problems of the form. */
export async function withPasskeys(
  run: (passkeys: typeof Passkeys) => Promise<readonly FormProblem[]>,
): Promise<readonly FormProblem[]> {
  const passkeys = await import('./passkeys.ts').catch(() => null);
  if (passkeys) return run(passkeys);
  return [{ field: null, message: 'Tally cannot be reached. Check your connection and try again.' }];
}
