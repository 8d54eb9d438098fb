// @module-tag alone
// @module-tag slow
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { createPng } from './support/image-bytes.ts';
import { countText, countTokens, type CountTokensRequest } from '../packages/token-counter/src/index.ts';

// Runs in its own process, since the bundler sets NODE_ENV.

/** Sizes of the whole library, minified. A larger one is a decision: users download it. */
const MAX_BUNDLE_BYTES = 357_800;
const MAX_COMPRESSED_BYTES = 147_000;

const repository = fileURLToPath(new URL('..', import.meta.url));
const work = mkdtempSync(join(tmpdir(), 'tally library '));
afterAll(() => rmSync(work, { recursive: true, force: true }));

/**
 * The folders that `npm pack` runs on, the repository and its workspace, each with a project that installs the archive.
 */
const packages = [
  {
    what: 'the repository',
    source: join(work, 'source'),
    project: join(work, 'with the repository'),
    installed: 'node_modules/tally',
    specifier: 'tally/token-counter',
    resolutions: ['nodenext'],
  },
  {
    what: 'the workspace',
    source: join(work, 'source/packages/token-counter'),
    project: join(work, 'with the workspace'),
    installed: 'node_modules/@tally/token-counter',
    specifier: '@tally/token-counter',
    resolutions: ['node16', 'bundler'],
  },
];

/** Runs one of our programs or npm without the environment of the test process. */
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
  const [fullPackage] = packages;
  // Files that the packages must leave out, as examples of all others.
  const repositoryFiles = ['package.json', 'README.md', 'LICENSE', 'bin', 'CONTRIBUTING.md', 'src/errors.ts'];
  const workspaceFiles = ['package.json', 'README.md', 'LICENSE', 'src/index.ts', 'test/edge-strings.ts'];
  for (const path of [...repositoryFiles, ...workspaceFiles.map((file) => `packages/token-counter/${file}`)])
    cpSync(join(repository, path), join(fullPackage!.source, path), { recursive: true });
  run(process.execPath, ['tools/build-library.ts', '--out', packages[1]!.source], repository);
  for (const { source, project, installed } of packages) {
    mkdirSync(join(project, installed), { recursive: true });
    const archive = run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', project], source).trim();
    run('tar', ['-xzf', archive, '--strip-components=1', '-C', installed], project);
    write(project, 'package.json', '{ "type": "module" }');
  }
});

function write(project: string, path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

const createImage = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: Buffer.from(createPng(800, 600)).toString('base64') },
} as const;
const requests: CountTokensRequest[] = [
  { model: 'claude-sonnet-4-5', messages: [{ role: 'user', content: 'Hello, world' }] },
  // The text is long and mixes scripts. Without Buffer the counter reads its code units in another way.
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
      { role: 'user', content: [{ type: 'text', text: 'And here?' }, createImage] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Oslo' } }] },
    ],
  },
  { model: 'claude-of-nobody', messages: [{ role: 'user', content: 'Hi' }] },
];

/** Counts every request. An error becomes its name and message. */
const createConsumer = (specifier: string): string => `
  import { countText, countTokens } from '${specifier}';
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

const listFiles = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll('\\', '/'),
    )
    .sort();

test('packs only the library and the launcher of its program', () => {
  const [fullPackageFiles, workspace] = packages.map(({ project, installed }) => listFiles(join(project, installed)));
  const built = workspace!.filter((file) => file.startsWith('dist/'));
  // Every module has a source and its types.
  const sources = new Set(listFiles(join(repository, 'packages/token-counter')));
  for (const file of built)
    assert.ok(sources.has(getSourcePath(file)) || sources.has(file.slice('dist/'.length)), file);
  for (const module of ['dist/src/index.js', 'dist/src/index.d.ts', 'dist/data/vocabulary-v3.js'])
    assert.ok(built.includes(module), module);
  assert.deepEqual(
    built.filter((file) => /\.test\.|\/tokenizer\/reference/.test(file)),
    [],
  );
  assert.deepEqual(workspace, ['LICENSE', 'README.md', ...built, 'package.json'].sort());
  const exportEntries = readdirSync(join(repository, 'bin')).map((file) => `bin/${file}`);
  const library = built.map((file) => `packages/token-counter/${file}`);
  assert.deepEqual(fullPackageFiles, ['LICENSE', 'README.md', ...exportEntries, ...library, 'package.json'].sort());
});

const getSourcePath = (built: string): string => built.slice('dist/'.length).replace(/(\.d\.ts|\.js)$/, '.ts');

test('declares a scoped name, a license and no dependency in the workspace', () => {
  const [, { project, installed } = packages[0]!] = packages;
  const manifest = JSON.parse(readFileSync(join(project, installed, 'package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  assert.deepEqual(
    [manifest['name'], manifest['license'], manifest['sideEffects']],
    ['@tally/token-counter', 'MIT', false],
  );
  assert.deepEqual(
    [manifest['dependencies'], manifest['peerDependencies'], manifest['scripts'], manifest['bin']],
    [undefined, undefined, undefined, undefined],
  );
});

test('prints what the comments say when an example of the library’s README runs', () => {
  const [, { project, installed } = packages[0]!] = packages;
  const readme = readFileSync(join(project, installed, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, example = '']) => example);
  assert.equal(examples.length, 5);
  for (const example of examples) {
    write(project, 'example.js', example);
    const expected = [...example.matchAll(/\/\/ (.+)$/gm)].map(([, line]) => line);
    assert.deepEqual(run(process.execPath, ['example.js'], project).trim().split('\n'), expected);
  }
});

test('repeats the figures of docs/reference/accuracy.md in the library’s README', () => {
  const readTableRows = (file: string): string[][] =>
    readFileSync(join(repository, file), 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.replaceAll('**', '').trim()));
  // The first table of the page has the figures with and without a repository's own records.
  const figures = readTableRows('docs/reference/accuracy.md');
  const shown = readTableRows('packages/token-counter/README.md').filter(([, , n]) => /^\d+$/.test(n ?? ''));
  assert.equal(shown.length, 7);
  for (const [, group, n, seen, isExcluded] of shown) {
    const [, , records, , exact, leftOut] = figures.find((row) => row[1] === group)!;
    assert.deepEqual([n, seen, isExcluded], [records, exact, leftOut], group);
  }
});

test('links in its README only to addresses and to files of the package', () => {
  const { project, installed } = packages[1]!;
  const readme = readFileSync(join(project, installed, 'README.md'), 'utf8');
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  assert.notEqual(links.length, 0);
  for (const link of links) assert.ok(/^https:/.test(link) || existsSync(join(project, installed, link)), link);
});

test('explains where the service is when the program of an installed package runs', () => {
  const { status, stderr } = spawnSync(process.execPath, ['node_modules/tally/bin/tally.mjs', 'start'], {
    cwd: packages[0]!.project,
    encoding: 'utf8',
  });
  assert.equal(status, 2);
  assert.match(stderr, /^This package contains only the token counter[^\n]+\n$/);
});

for (const { what, project, specifier, resolutions } of packages) {
  test(`counts like the sources in plain Node when ${what} is installed`, () => {
    write(project, 'consumer.js', createConsumer(specifier));
    write(
      project,
      'print.js',
      `import { readFileSync } from 'node:fs';\nimport { answers } from './consumer.js';\n` +
        `console.log(answers(readFileSync(0, 'utf8')));\n`,
    );
    assert.deepEqual(JSON.parse(run(process.execPath, ['print.js'], project, JSON.stringify(requests))), expected);
  });

  test.each(resolutions)(`checks the official SDK’s types when ${what} is installed (%s)`, (resolution) => {
    checkTypes(project, specifier, resolution);
  });
}

test('checks the official SDK’s types when an older compiler resolves like Node 10', (t) => {
  const compiler = join(repository, 'test/api-clients/node_modules/typescript/bin/tsc');
  t.skip(!existsSync(compiler), 'not run, for lack of the compiler: npm ci --prefix test/api-clients');
  const { project, specifier } = packages[1]!;
  checkTypes(project, specifier, 'node10', compiler);
});

/** Compiles a program that uses the package and the types of the official SDK. */
function checkTypes(
  project: string,
  specifier: string,
  resolution: string,
  compiler = join(repository, 'node_modules/typescript/bin/tsc'),
): void {
  write(project, 'typed.ts', createTypedConsumer(specifier));
  write(
    project,
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        noEmit: true,
        strict: true,
        skipLibCheck: false,
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        module: resolution === 'bundler' || resolution === 'node10' ? 'esnext' : resolution,
        moduleResolution: resolution,
      },
      files: ['typed.ts'],
    }),
  );
  const link = join(project, 'node_modules/@anthropic-ai/sdk');
  mkdirSync(dirname(link), { recursive: true });
  if (!existsSync(link)) symlinkSync(join(repository, 'node_modules/@anthropic-ai/sdk'), link, 'junction');
  run(process.execPath, [compiler, '-p', '.'], project);
}

const createTypedConsumer = (specifier: string): string => `
  import type { MessageCountTokensParams } from '@anthropic-ai/sdk/resources/messages/messages';
  import type { MessageCountTokensParams as BetaCountParams } from '@anthropic-ai/sdk/resources/beta/messages/messages';
  import { countText, countTokens, fitMessages, listModels, resolveModel, type CountTokensRequest,
    type FitOptions, type FittedRequest } from '${specifier}';

  export const stable = (params: MessageCountTokensParams): number => countTokens(params).input_tokens;
  export const beta = (params: BetaCountParams): CountTokensRequest => params;
  export const paths: string[] = countTokens({ model: 'claude-opus-5',
    messages: [] }).breakdown.map((part) => part.path);
  export const fit = (params: MessageCountTokensParams, options: FitOptions):
    FittedRequest<MessageCountTokensParams> => fitMessages(params, options);
  export const dropped = (params: MessageCountTokensParams): MessageCountTokensParams['messages'] =>
    fitMessages(params, { maxTokens: 1_000, keep: 2 }).dropped;
  export const ids: string[] = listModels().map((row) => row.id);
  export const known: boolean = resolveModel('claude-opus-5') !== undefined;
  // @ts-expect-error: a model is a string
  countTokens({ model: 5, messages: [] });
  // @ts-expect-error: no message has this role
  countTokens({ model: 'claude-opus-5', messages: [{ role: 'robot', content: 'Hi' }] });
  // @ts-expect-error: a limit is required
  fitMessages({ model: 'claude-opus-5', messages: [] }, {});
  // @ts-expect-error: a text has a model
  countText('Hi');
  // @ts-expect-error: a total is a number
  export const total: string = countTokens({ model: 'claude-opus-5', messages: [] }).input_tokens;
`;

/** Bundles a module of a project for a browser and returns the code. */
async function buildBundle(project: string, source: string): Promise<string> {
  write(project, 'consumer.js', source);
  const built = await build({
    configFile: false,
    publicDir: false,
    root: project,
    logLevel: 'silent',
    build: { write: false, lib: { entry: 'consumer.js', formats: ['iife'], name: 'consumer' } },
  });
  const [{ output }] = built as { output: { code: string }[] }[] as [{ output: { code: string }[] }];
  assert.equal(output.length, 1);
  return output[0]!.code;
}

test('drops unused modules from a browser bundle, first of all the vocabularies', async () => {
  const { project, specifier } = packages[1]!;
  const models = await buildBundle(project, `export { listModels } from '${specifier}';`);
  const counter = await buildBundle(project, `export { countTokens } from '${specifier}';`);
  assert.ok(models.length < counter.length / 20, `${models.length} of ${counter.length} characters`);
});

test('stays within its size as a browser bundle, before and after compression', async () => {
  const { project, specifier } = packages[1]!;
  const code = await buildBundle(project, `export * from '${specifier}';`);
  assert.ok(Buffer.byteLength(code) < MAX_BUNDLE_BYTES, `${Buffer.byteLength(code)} bytes`);
  assert.ok(gzipSync(code).length < MAX_COMPRESSED_BYTES, `${gzipSync(code).length} bytes`);
});

test('counts like the sources in a browser bundle without Node’s globals', async () => {
  const { project, specifier } = packages[1]!;
  const code = await buildBundle(project, createConsumer(specifier));
  // Provides only the language and the one web API that the counter uses.
  const page = createContext({ TextEncoder, requests: JSON.stringify(requests) });
  assert.equal(runInContext('typeof Buffer + typeof process + typeof require', page), 'undefined'.repeat(3));
  runInContext(code, page);
  assert.deepEqual(JSON.parse(runInContext('consumer.answers(requests)', page) as string), expected);
});
