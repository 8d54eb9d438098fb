/** Counts texts with the native package that the vocabulary was measured from. `npm --prefix bench ci` installs it. */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextFamily } from '../../src/tokenizer/index.ts';

export const encodings: Readonly<Record<TextFamily, string>> = {
  v3: 'ClaudeV3',
  'v4.7': 'ClaudeV47',
  v5: 'ClaudeV5',
  'v5-sonnet': 'ClaudeV5Sonnet',
};

/** Counts a text as one user message. */
type NativeCount = (text: string, family: TextFamily) => number;

/**
 * Removes `--native <folder>` from `args` and loads the package. Prints a message and exits if the package is not
 * installed.
 */
export function loadNativePackage(args: string[]): NativeCount {
  const flagIndex = args.indexOf('--native');
  const folder =
    flagIndex >= 0
      ? (args.splice(flagIndex, 2)[1] ?? '')
      : fileURLToPath(
          new URL(
            `../../../../bench/node_modules/@oh-my-pi/pi-natives-${process.platform}-${process.arch}`,
            import.meta.url,
          ),
        );
  if (!existsSync(folder)) {
    console.log(`the native package is not installed in ${folder}: nothing compared`);
    process.exit(0);
  }
  const binary =
    readdirSync(folder)
      .filter((name) => name.endsWith('.node'))
      .sort()
      .at(-1) ?? '';
  const native = createRequire(import.meta.url)(join(folder, binary)) as {
    countTokens(text: string, encoding: string): number;
  };
  return (text, family) => native.countTokens(text, encodings[family]);
}
