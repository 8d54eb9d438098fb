/** The measured package as a black box that returns a number for a text. */
import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Vocabulary } from './marked-stream.ts';

type CountTokens = (text: string, encoding: string) => number;

/** Counts texts with one encoding of the package and counts the calls. */
export interface NativeCounter {
  count(text: string): number;
  getCallCount(): number;
}

/** Returns the platform's binary below a folder of `npm install`. */
function findBinary(installation: string): string {
  const platform = `${process.platform}-${process.arch}`;
  const folder = resolve(installation, 'node_modules/@oh-my-pi', `pi-natives-${platform}`);
  for (const variant of ['-modern', '-baseline', '']) {
    const path = join(folder, `pi_natives.${platform}${variant}.node`);
    if (existsSync(path)) return path;
  }
  throw new Error(
    `No @oh-my-pi/pi-natives-${platform} below ${installation}. Install it there first: ` +
      `npm install @oh-my-pi/pi-natives-${platform}@18.2.11`,
  );
}

/** Returns `name@version` of the binary's package. */
export function installedVersion(installation: string): string {
  const manifest = JSON.parse(readFileSync(join(findBinary(installation), '../package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  return `${manifest.name}@${manifest.version}`;
}

/**
 * Loads the package from the folder in `--natives`. If it is missing, throws an error with the command to install it.
 */
export function loadNativeCounter(installation: string, vocabulary: Vocabulary): NativeCounter {
  const binary = createRequire(import.meta.url)(findBinary(installation)) as { countTokens: CountTokens };
  const encoding = vocabulary === 'v3' ? 'ClaudeV3' : 'ClaudeV47';
  let callCount = 0;
  return {
    count(text) {
      callCount++;
      return binary.countTokens(text, encoding);
    },
    getCallCount: () => callCount,
  };
}
