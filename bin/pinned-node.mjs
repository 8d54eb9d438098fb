import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';

// Plain JavaScript for any Node from 20 on: this file runs before the pinned Node is found.
const WANTED = 24;
const major = (version) => Number(version.replace(/^v/, '').split('.')[0]);

/** True where this process can run the project's TypeScript as it is. */
export const isPinnedEnough = () => major(process.version) >= WANTED;

/**
 * Runs `script` with the Node that the project pins through npm and ends this process as that one ends: the promise
 * never settles.
 */
export function runWithPinnedNode(script, args) {
  const binary = candidates().find(answers);
  if (!binary) {
    console.error(
      `tally needs Node ${WANTED}, and this is ${process.version}. The project brings its own through npm, but it is ` +
        'not there: either npm ci has not run, or the install scripts were blocked. Run "npm ci", or ' +
        '"npm rebuild node --ignore-scripts=false" where scripts are blocked.',
    );
    process.exit(2);
  }
  const env = { ...process.env, PATH: dirname(binary) + delimiter + (process.env.PATH ?? '') };
  // The channel tells the child when this process is killed; see endWithParent.
  const child = spawn(binary, [script, ...args], { env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    // A terminal sends Ctrl-C to both; a second one would end the child at once.
    process.on(signal, () => (signal === 'SIGINT' && process.stdin.isTTY) || child.kill(signal));
  }
  return new Promise(() => {
    child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGKILL' ? 137 : 1)));
  });
}

/**
 * Ends this process in order when the one that started it (npm, or the older Node above) is gone; it would live on
 * unseen.
 */
export function endWithParent() {
  const end = () => process.kill(process.pid, 'SIGTERM');
  if (process.channel) {
    process.once('disconnect', end);
    process.channel.unref();
  }
  if (!process.env.npm_lifecycle_event) return;
  const atStart = starters();
  const watch = setInterval(() => {
    if (starters() === atStart) return;
    clearInterval(watch);
    end();
  }, 500).unref();
}

/** The parent and, where that is only the shell in which npm runs a script, the shell's parent. */
function starters() {
  try {
    const [, name, , above] = /\((.*)\) (\S) (\d+)/s.exec(readFileSync(`/proc/${process.ppid}/stat`, 'utf8'));
    return /^(ba|da|z|k|a)?sh$/.test(name) ? `${process.ppid} ${above}` : `${process.ppid}`;
  } catch {
    return `${process.ppid}`;
  }
}

/**
 * Where npm may have put it: linked by its install script, or in its platform's package where that script did not run.
 */
function candidates() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const folders = [];
  try {
    const home = dirname(createRequire(import.meta.url).resolve('node/package.json'));
    folders.push(home);
    for (const name of [`node-${platform}-${process.arch}`, `node-bin-${platform}-${process.arch}`]) {
      folders.push(join(home, 'node_modules', name), join(home, '..', name));
    }
  } catch {
    return [];
  }
  return folders.map((folder) => join(folder, 'bin', file)).filter((path) => existsSync(path));
}

function answers(binary) {
  const { status, stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return status === 0 && major(stdout.trim()) >= WANTED;
}
