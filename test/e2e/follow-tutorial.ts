import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Page, test as base } from '@playwright/test';
import { reservePort } from '../../src/platform/http/reserve-port.ts';
import { readSection } from '../support/page-commands.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Checkout {
  folder: string;
  /** Runs a command of a page, and returns its standard output. Throws with the whole output if it fails. */
  run(command: string, settings?: Record<string, string>): string;
  /** Runs a command of a page until the test ends, and returns the match once its output has the pattern. */
  start(command: string, pattern: RegExp): Promise<{ match: RegExpExecArray; process: ChildProcess }>;
}

/** Test with a copy of this repository, in which the packages are installed. */
export const test = base.extend<{ checkout: Checkout }>({
  checkout: async ({ browserName: _ }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'tally-tutorial-'));
    const services: ChildProcess[] = [];
    const port = await reservePort('127.0.0.1');
    await port.release();
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => ['PATH', 'HOME', 'LANG', 'TMPDIR'].includes(name)),
    );
    try {
      copyRepository(folder);
      await use({
        folder,
        run: (command, settings = {}) =>
          execFileSync('bash', ['-ec', command], {
            cwd: folder,
            encoding: 'utf8',
            stdio: 'pipe',
            env: { ...env, ...settings },
          }),
        async start(command, pattern) {
          const service = spawn('bash', ['-ec', `exec ${command}`], {
            cwd: folder,
            env: { ...env, PORT: `${port.port}` },
            detached: true,
          });
          services.push(service);
          return { match: await waitForOutput(service, pattern), process: service };
        },
      });
    } finally {
      for (const service of services) await stop(service);
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  },
});

/** Copies the files of the repository, changed ones too, and the installed packages without the caches of tools. */
function copyRepository(folder: string): void {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const deleted = new Set(git(['ls-files', '-z', '--deleted']));
  for (const path of git(list)) if (!deleted.has(path)) cpSync(join(root, path), join(folder, path));
  const packages = join(folder, 'node_modules');
  // Links of files take no room, where the file system has them. Links of folders would lead the checks out of the copy.
  const copy = 'cp -al "$0" "$1" 2>/dev/null || { rm -rf "$1"; cp -a "$0" "$1"; }';
  execFileSync('sh', ['-c', copy, join(root, 'node_modules'), packages]);
  for (const name of readdirSync(packages))
    if (name.startsWith('.') && name !== '.bin') rmSync(join(packages, name), { recursive: true });
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
}

const git = (args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
    .split('\0')
    .filter(Boolean);

async function waitForOutput(service: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let output = '';
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      output += chunk.toString();
      const match = pattern.exec(output);
      if (match) resolve(match);
    };
    service.stdout!.on('data', read);
    service.stderr!.on('data', read);
    service.once('exit', () => reject(new Error(`The command ended before ${pattern}:\n${output}`)));
  });
}

/** Interrupts a command and its children, as Ctrl-C does. */
export async function stop(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.signalCode !== null) return;
  const ended = once(service, 'exit');
  process.kill(-service.pid!, 'SIGINT');
  await ended;
}

/** Returns the text of a tutorial's section. */
export const readTutorial = (name: string, heading: string): string =>
  readSection(readFileSync(join(root, 'docs/tutorials', name), 'utf8'), heading);

/** Returns the emphasized labels of a section, which are texts of the screen. */
export const listLabels = (section: string): string[] =>
  [...section.matchAll(/(?<!\*)\*([^*\n]+)\*(?!\*)/g)].map(([, label]) => label!);

/** Returns the code in a sentence of a section, as `apple` in "Type `apple`". */
export const findCode = (section: string, before: string): string => {
  const [, code] = new RegExp(`${before} \`([^\`]+)\``).exec(section) ?? [];
  assert.ok(code, `the tutorial says "${before}"`);
  return code;
};

const EDIT =
  /^ *(?:\d\. )?(?:Create|In) `(?<path>[^`]+)`(?: add (?<place>at the top|at the end|before `(?<anchor>[^`]+)`))?:\n\n(?<indent> *)```\w+\n(?<code>[^]*?)^ *```$/gm;

/** Makes the edits of a section in the copy, and returns their number. */
export function applyEdits(section: string, folder: string): number {
  const edits = [...section.matchAll(EDIT)].map(
    ({ groups }) => groups as Record<'path' | 'indent' | 'code', string> & { place?: string; anchor?: string },
  );
  for (const { path, place, anchor, indent, code } of edits) {
    const file = join(folder, path);
    const added = code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    if (place === undefined) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, added);
      continue;
    }
    const text = readFileSync(file, 'utf8');
    if (place === 'at the top') writeFileSync(file, added + text);
    else if (place === 'at the end') writeFileSync(file, `${text}\n${added}`);
    else {
      assert.equal(text.split(anchor!).length, 2, `${path} has \`${anchor}\` once`);
      writeFileSync(
        file,
        text.replace(anchor!, () => added + anchor),
      );
    }
  }
  return edits.length;
}

export async function signIn(page: Page, url: string, folder: string): Promise<void> {
  const { members } = readFirstRun(folder);
  await page.goto(`${url}/sign-in`);
  await page.getByLabel('Email').fill(members[0]!.email);
  await page.getByLabel('Password', { exact: true }).fill(members[0]!.password);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
}

const readFirstRun = (folder: string): { members: { email: string; password: string }[] } =>
  JSON.parse(readFileSync(join(folder, 'data/first-run.json'), 'utf8'));
