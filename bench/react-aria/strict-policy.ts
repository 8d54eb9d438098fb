/**
 * `npm run lab -- react-aria`: React Aria, which the product measured and does not load (docs/decisions/0010), still
 * works under the service's content security policy. Its package comes with `npm --prefix bench ci`.
 */
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { buildWeb } from '../../scripts/build-web.ts';
import { useSite } from '../../test/support/browser.ts';
import { eventually } from '../../test/support/eventually.ts';

const site = useSite();
/**
 * React Aria adds a style element of its own unless this id stands; a page that loads it needs the element's one rule
 * in its style sheet.
 */
const GUARD = '<meta id="react-aria-pressable-style">';
let script = '';

before(async () => {
  await buildWeb({ ifStale: true });
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: fileURLToPath(new URL('./page.tsx', import.meta.url)) },
    },
  });
  const [output] = [built].flat() as Rolldown.RolldownOutput[];
  script = (output?.output ?? []).map((file) => ('code' in file ? file.code : '')).join('\n');
  assert.ok(script.length > 100_000, 'the page is built');
});

/** Serves the page under the service's own policy. */
async function open(page: Page, guard: string): Promise<void> {
  const policy = (await fetch(`${site.service.url}/healthz`)).headers.get('content-security-policy') ?? '';
  assert.match(policy, /style-src 'self'(;|$)/, 'the policy allows no style of elsewhere, none inline and no nonce');
  await page.route('**/react-aria', (route) =>
    route.fulfill({
      contentType: 'text/html',
      headers: { 'content-security-policy': policy },
      body:
        `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>React Aria</title>${guard}</head>` +
        '<body><div id="app"></div><script type="module" src="/react-aria.js"></script></body></html>',
    }),
  );
  await page.route('**/react-aria.js', (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
  await page.goto('/react-aria');
  await page.getByRole('button', { name: 'Open the menu' }).waitFor();
}

test('menu, dialog, combobox and keyboard reordering of React Aria work under the strict policy', async (t) => {
  const page = await site.visit(t);
  await open(page, GUARD);
  await page.getByRole('button', { name: 'Open the menu' }).click();
  await page.getByRole('menuitem', { name: 'Second entry' }).click();
  await page.getByRole('button', { name: 'Open the dialog' }).click();
  await page.getByRole('dialog', { name: 'A dialog' }).getByRole('button', { name: 'Close it' }).click();
  await page.getByRole('combobox', { name: 'Search' }).fill('ban');
  await page.getByRole('option', { name: 'Banana' }).click();
  // The choice is drawn in a frame of its own.
  await eventually(async () => (await page.getByRole('combobox', { name: 'Search' }).inputValue()) === 'Banana');
  await page.getByRole('row', { name: 'One' }).getByRole('button').focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
});

test('without an element of the guard’s id React Aria breaks the policy by a style of its own', async (t) => {
  const violation = /policy violation: style-src-elem inline|Applying inline style violates/;
  const page = await site.visit(t, { expected: [violation] });
  const told: string[] = [];
  page.on('console', (message) => told.push(message.text()));
  await open(page, '');
  assert.ok(
    told.some((text) => violation.test(text)),
    `the browser reports it: ${told.join('\n')}`,
  );
});
