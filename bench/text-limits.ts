/**
 * What the text counter costs beside speed: `npm run bench -- text-limits [load|memory|worst|size]`. Load (import and
 * first count, in fresh processes), growth of memory over 100 MB of random words, worst cases of 100 KB and 1 MB, and
 * size as a browser loads it.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const counter = '../src/token-counting/counter/text/index.ts';

function seededRandom(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** The goal: import and one vocabulary. */
const LOAD_GOAL = 150;
const LOADS = 5;

const entries = {
  'built library': '../dist/token-counter/index.js',
  sources: '../src/token-counting/counter/index.ts',
};
const loads = {
  import: [],
  'and v3': ['claude-sonnet-4-5'],
  'and v4.7': ['claude-opus-4-7'],
  'and both': ['claude-sonnet-4-5', 'claude-opus-4-7'],
};

/** In a process of its own: the time from before the import until each model has counted once, and the counts. */
async function loadOnce(entry: string, ...models: string[]): Promise<void> {
  const started = performance.now();
  const { countText } = await import(entry);
  const counts = models.map((model) => countText('warm', { model }));
  console.log(JSON.stringify({ took: performance.now() - started, counts }));
}

/** The median of some fresh processes; a library that is stale is built before, and that takes no part in the time. */
async function load(): Promise<void> {
  const { buildLibrary } = await import('../scripts/build-library.ts');
  await buildLibrary({ ifStale: true });
  // What Node has compiled for an earlier process would make loading look quicker than it is in a fresh process.
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  console.log(`| load, ms: median of ${LOADS} (fastest), goal ${LOAD_GOAL} | ${Object.keys(loads).join(' | ')} |`);
  const seen = new Map<string, string>();
  for (const [name, entry] of Object.entries(entries)) {
    const cells = Object.entries(loads).map(([what, models]) => {
      const times = Array.from({ length: LOADS }, () => {
        const { stdout } = spawnSync(process.execPath, [import.meta.filename, 'load-once', entry, ...models], {
          encoding: 'utf8',
          env,
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        const { took, counts } = JSON.parse(stdout) as { took: number; counts: number[] };
        if ((seen.get(what) ?? `${counts}`) !== `${counts}`)
          throw new Error(`${name} counts ${counts} ${what}, others ${seen.get(what)}`);
        seen.set(what, `${counts}`);
        return took;
      }).sort((x, y) => x - y);
      const median = times[LOADS >> 1]!;
      return `${median.toFixed(0)} (${times[0]!.toFixed(0)})${median > LOAD_GOAL ? ' over' : ''}`;
    });
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

async function memory(): Promise<void> {
  const { countContent } = await import(counter);
  const next = seededRandom(1);
  const bytes = new Uint8Array(300_000);
  const decoder = new TextDecoder();
  countContent('warm', 'v3');
  countContent('warm', 'v4.7');
  const before = process.memoryUsage().rss;
  let peak = before;
  let counted = 0;
  let time = 0;
  for (let round = 0; counted < 100e6; round++) {
    let length = 0;
    while (length < 290_000) {
      for (let letters = 2 + (next() % 9); letters > 0; letters--) bytes[length++] = 0x61 + (next() % 26);
      bytes[length++] = 0x20;
    }
    const text = decoder.decode(bytes.subarray(0, length));
    const started = performance.now();
    countContent(text, round % 2 === 0 ? 'v3' : 'v4.7');
    time += performance.now() - started;
    counted += length;
    peak = Math.max(peak, process.memoryUsage().rss);
  }
  console.log(
    `memory: ${((peak - before) / 1e6).toFixed(0)} MB more at most while 100 MB of random words were counted ` +
      `(${(counted / time / 1e3).toFixed(0)} MB/s)`,
  );
}

async function worst(): Promise<void> {
  const { countContent } = await import(counter);
  const next = seededRandom(3);
  const random = (length: number, alphabet: string): string =>
    Array.from({ length }, () => alphabet[next() % alphabet.length]).join('');
  const lower = 'abcdefghijklmnopqrstuvwxyz';
  const cases: Readonly<Record<string, (size: number) => string>> = {
    'one letter': (size) => 'a'.repeat(size),
    letters: (size) => random(size, lower),
    base64: (size) => random(size, `${lower}${lower.toUpperCase()}0123456789+/`),
    spaces: (size) => ' '.repeat(size),
    newlines: (size) => '\n'.repeat(size),
    equals: (size) => '='.repeat(size),
    digits: (size) => random(size, '0123456789'),
    Chinese: (size) => random(size / 3, '\u4e2d\u6587\u7684\u4e00\u662f\u4e0d\u4e86\u4eba\u6211\u5728\uff0c\u3002'),
    emoji: (size) => '\u{1f600}'.repeat(size / 4),
    'rows of 127 equals': (size) => `${'='.repeat(127)}-`.repeat(size / 128),
  };
  console.log(
    '| 100 KB of, ms | v3 first (processor time) | v3 again | v3 1 MB | ' +
      'v4.7 first (processor time) | v4.7 again | v4.7 1 MB |',
  );
  for (const [name, make] of Object.entries(cases)) {
    const cells: string[] = [];
    for (const family of ['v3', 'v4.7'] as const) {
      countContent('warm', family);
      // A new first character each time: no text is remembered as a whole.
      const timed = (text: string): number => {
        const started = performance.now();
        countContent(text, family);
        return performance.now() - started;
      };
      // What other processes take of the processor is in the time by the clock, and not in the thread's own.
      const text = make(100_000);
      const before = process.threadCpuUsage();
      const first = timed(text);
      const { user, system } = process.threadCpuUsage(before);
      const again = Math.min(...[1, 2, 3].map((round) => timed(round + make(100_000))));
      cells.push(
        `${first.toFixed(1)} (${((user + system) / 1000).toFixed(1)})`,
        again.toFixed(1),
        Math.min(timed(`x${make(1_000_000)}`), timed(`y${make(1_000_000)}`)).toFixed(1),
      );
    }
    console.log(`| ${name} | ${cells.join(' | ')} |`);
  }
}

/** The library as others bundle it, and compressed: what its size is told by. */
async function size(): Promise<void> {
  const { build } = await import('vite');
  const entry = 'src/token-counting/counter/index.ts';
  const built = await build({
    configFile: false,
    publicDir: false,
    root: join(import.meta.dirname, '..'),
    logLevel: 'silent',
    build: { write: false, target: 'es2022', minify: true, lib: { entry, formats: ['es'] } },
  });
  const [{ output }] = built as { output: { code: string }[] }[] as [{ output: [{ code: string }] }];
  const [{ code }] = output;
  const kB = (bytes: number): string => (bytes / 1000).toFixed(1);
  const [gzip, brotli] = [gzipSync(code, { level: 9 }), brotliCompressSync(code)];
  console.log(`size: ${kB(code.length)} kB, gzip ${kB(gzip.length)} kB, brotli ${kB(brotli.length)} kB`);
}

const parts: Readonly<Record<string, () => Promise<void>>> = { load, memory, worst, size };
const [asked, ...rest] = process.argv.slice(2);
if (asked === 'load-once') await loadOnce(rest[0]!, ...rest.slice(1));
else if (asked !== undefined && parts[asked] !== undefined) await parts[asked]();
else
  for (const part of Object.keys(parts))
    spawnSync(process.execPath, [import.meta.filename, part], { stdio: 'inherit' });
