import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'vite';
import { png } from './support/image-bytes.ts';
import { countText, countTokens, type CountTokensRequest } from '../packages/token-counter/src/index.ts';

// Runs in a process of its own: the bundler sets NODE_ENV.

const repository = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'tally library '));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/**
 * What `npm pack` is run on: the whole package, and the library's folder alone, each with a project that has it
 * installed.
 */
const packages = [
  {
    what: 'the package',
    source: join(work, 'source'),
    project: join(work, 'with the package'),
    resolution: 'nodenext',
  },
  {
    what: 'the folder',
    source: join(work, 'source/dist/token-counter'),
    project: join(work, 'with the folder'),
    resolution: 'bundler',
  },
];

/** Runs a program of ours or npm, without what this test's own process was told. */
function run(command: string, args: readonly string[], cwd: string, input?: string): string {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    input,
    encoding: 'utf8',
    shell: command === 'npm' && process.platform === 'win32',
  });
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}${error?.message ?? ''}`);
  return stdout;
}

beforeAll(() => {
  const [whole] = packages;
  // Two files that the package must leave out stand for all the others.
  for (const path of ['package.json', 'README.md', 'LICENSE', 'bin', 'CONTRIBUTING.md', 'src/errors.ts'])
    cpSync(join(repository, path), join(whole!.source, path), { recursive: true });
  run(process.execPath, ['tools/build-library.ts', '--out', join(whole!.source, 'dist')], repository);
  for (const { source, project } of packages) {
    const installed = join(project, 'node_modules/tally');
    mkdirSync(installed, { recursive: true });
    const archive = run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', project], source).trim();
    run('tar', ['-xzf', archive, '--strip-components=1', '-C', 'node_modules/tally'], project);
    write(project, 'package.json', '{ "type": "module" }');
  }
});

function write(project: string, path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

const pixels = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: Buffer.from(png(800, 600)).toString('base64') },
} as const;
const requests: CountTokensRequest[] = [
  { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hello, world' }] },
  // Long, and of several scripts: without Buffer its units are read another way.
  {
    model: 'claude-opus-4-7',
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Grüße, мир \u4e2d\u6587 \u{1f600} e\u0301 \u00a0 \ud800 “x”\n'.repeat(400) }],
  },
  {
    model: 'claude-opus-5',
    tools: [
      {
        name: 'weather',
        description: 'The weather of a city',
        input_schema: { type: 'object', properties: { city: { type: 'string' } } },
      },
    ],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'And here?' }, pixels] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Oslo' } }] },
    ],
  },
  { model: 'claude-of-nobody', messages: [{ role: 'user', content: 'Hi' }] },
];

/** Counts every request; an error is its name and sentence. */
const CONSUMER = `
  import { countText, countTokens } from 'tally/token-counter';
  const answer = (request) => {
    try {
      return [countTokens(request), countText('How many tokens is this?', { model: request.model })];
    } catch (error) {
      return String(error);
    }
  };
  export const answers = (requests) => JSON.stringify(JSON.parse(requests).map(answer));
`;

const expected = requests.map((request, index) =>
  index < 3
    ? [countTokens(request), countText('How many tokens is this?', { model: request.model })]
    : 'RangeError: model: claude-of-nobody',
);

test("the package holds the library, its program's door, and nothing else", () => {
  const installed = join(packages[0]!.project, 'node_modules/tally');
  const types = [
    'count-text',
    'index',
    'media/collect-media',
    'media/image-size',
    'model-row',
    'models',
    'request-types',
    'request/count-request',
    'uncertainty',
  ];
  const library = ['LICENSE', 'README.md', 'index.js', 'package.json', ...types.map((file) => `types/${file}.d.ts`)];
  const files = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      )
      .sort();
  const doors = readdirSync(join(repository, 'bin')).map((file) => `bin/${file}`);
  assert.deepEqual(
    files(installed),
    ['LICENSE', 'README.md', ...doors, ...library.map((file) => `dist/token-counter/${file}`), 'package.json'].sort(),
  );
  assert.deepEqual(files(join(packages[1]!.project, 'node_modules/tally')), library.sort());
  const lean = JSON.parse(
    readFileSync(join(packages[1]!.project, 'node_modules/tally/package.json'), 'utf8'),
  ) as Record<string, unknown>;
  assert.deepEqual([lean['dependencies'], lean['scripts'], lean['bin']], [undefined, undefined, undefined]);
  const own = JSON.parse(readFileSync(join(repository, 'tools/build-library/package.json'), 'utf8')) as object;
  assert.deepEqual(lean, own, 'the manifest, its version included, is its own');
});

test("the example of the library's README runs as it is written", () => {
  const { project } = packages[1]!;
  const readme = readFileSync(join(project, 'node_modules/tally/README.md'), 'utf8');
  write(project, 'example.js', /^```js\n(.*?)^```$/ms.exec(readme)?.[1] ?? '');
  const { input_tokens, breakdown } = countTokens({
    model: 'claude-sonnet-4-5',
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Hello, world' }],
  });
  const printed = run(process.execPath, ['example.js'], project).trim().split('\n');
  assert.equal(printed.length, breakdown.length + 1);
  assert.match(printed.at(-1)!, new RegExp(`^${input_tokens} \\d+ \\d+$`));
});

test('the program of an installed package says where the service is', () => {
  const { status, stderr } = spawnSync(process.execPath, ['node_modules/tally/bin/tally.mjs', 'start'], {
    cwd: packages[0]!.project,
    encoding: 'utf8',
  });
  assert.equal(status, 2);
  assert.match(stderr, /^This package holds the token counter alone[^\n]+\n$/);
});

for (const { what, project, resolution } of packages) {
  test(`${what}, once installed, counts in plain Node as the sources do`, () => {
    write(project, 'consumer.js', CONSUMER);
    write(
      project,
      'print.js',
      `import { readFileSync } from 'node:fs';\nimport { answers } from './consumer.js';\n` +
        `console.log(answers(readFileSync(0, 'utf8')));\n`,
    );
    assert.deepEqual(JSON.parse(run(process.execPath, ['print.js'], project, JSON.stringify(requests))), expected);
  });

  test(`${what}, once installed, takes the official SDK's parameters and refuses wrong ones (${resolution})`, () => {
    write(project, 'typed.ts', TYPED_CONSUMER);
    mkdirSync(join(project, 'node_modules/@anthropic-ai'));
    symlinkSync(
      join(repository, 'node_modules/@anthropic-ai/sdk'),
      join(project, 'node_modules/@anthropic-ai/sdk'),
      'junction',
    );
    const options = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      'false',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
      '--types',
      '',
    ];
    const modules = ['--module', resolution === 'bundler' ? 'esnext' : resolution, '--moduleResolution', resolution];
    run(
      process.execPath,
      [join(repository, 'node_modules/typescript/bin/tsc'), ...options, ...modules, 'typed.ts'],
      project,
    );
  });
}

const TYPED_CONSUMER = `
  import type { MessageCountTokensParams } from '@anthropic-ai/sdk/resources/messages/messages';
  import type { MessageCountTokensParams as BetaCountParams } from '@anthropic-ai/sdk/resources/beta/messages/messages';
  import { countText, countTokens, listModels, resolveModel, type CountTokensRequest } from 'tally/token-counter';

  export const stable = (params: MessageCountTokensParams): number => countTokens(params).input_tokens;
  export const beta = (params: BetaCountParams): CountTokensRequest => params;
  export const paths: string[] = countTokens({ model: 'claude-opus-5',
    messages: [] }).breakdown.map((part) => part.path);
  export const ids: string[] = listModels().map((row) => row.id);
  export const known: boolean = resolveModel('claude-opus-5') !== undefined;
  // @ts-expect-error: a model is a string
  countTokens({ model: 5, messages: [] });
  // @ts-expect-error: nobody has this role
  countTokens({ model: 'claude-opus-5', messages: [{ role: 'robot', content: 'Hi' }] });
  // @ts-expect-error: a text has a model
  countText('Hi');
  // @ts-expect-error: a total is a number
  export const total: string = countTokens({ model: 'claude-opus-5', messages: [] }).input_tokens;
`;

test('a browser bundle counts as the sources do, with nothing of Node around it', async () => {
  const { project } = packages[0]!;
  write(project, 'consumer.js', CONSUMER);
  const built = await build({
    configFile: false,
    publicDir: false,
    root: project,
    logLevel: 'silent',
    build: { write: false, lib: { entry: 'consumer.js', formats: ['iife'], name: 'consumer' } },
  });
  const [{ output }] = built as { output: { code: string }[] }[] as [{ output: { code: string }[] }];
  assert.equal(output.length, 1);
  // The language itself, and the one thing of the web platform that the counter uses.
  const page = createContext({ TextEncoder, requests: JSON.stringify(requests) });
  assert.equal(runInContext('typeof Buffer + typeof process + typeof require', page), 'undefined'.repeat(3));
  runInContext(output[0]!.code, page);
  assert.deepEqual(JSON.parse(runInContext('consumer.answers(requests)', page) as string), expected);
});
