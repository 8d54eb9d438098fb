import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { useSite } from '../support/browser.ts';
import { signUp } from './people.ts';

const site = useSite();

/** Bytes of script that a page has fetched, as gzip makes them: the size people pay for. */
async function scriptBytes(page: Page): Promise<number> {
  const urls = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => new URL(name).pathname.endsWith('.js')));
  const sizes = await Promise.all(urls.map(async (url) => gzipSync(await (await fetch(url)).text(), { level: 9 }).length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

test('the scripts of each page stay within their budget', async (t) => {
  const page = await site.visit(t);
  const budget = { '/': 90_000, '/sign-in': 90_000, '/dashboard': 135_000 } as const;
  for (const path of ['/', '/sign-in'] as const) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const bytes = await scriptBytes(page);
    t.diagnostic(`${path}: ${(bytes / 1000).toFixed(1)} kB of script, gzip`);
    assert.ok(bytes > 40_000 && bytes <= budget[path], `${path} fetches ${bytes} bytes`);
  }
  await signUp(page);
  await page.goto('/dashboard');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const bytes = await scriptBytes(page);
  t.diagnostic(`/dashboard: ${(bytes / 1000).toFixed(1)} kB of script, gzip`);
  assert.ok(bytes <= budget['/dashboard'], `/dashboard fetches ${bytes} bytes`);
});

test('nothing on a page moves once it is there', async (t) => {
  const page = await site.visit(t);
  await page.addInitScript(() => {
    const seen = { shift: 0 };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(() => document.fonts.ready);
  const shift = await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
  assert.ok(shift < 0.01, `layout moved by ${shift}`);
});

test('hashed files are kept for a year and come compressed; the policy forbids what is inline', async () => {
  const document = await fetch(site.service.url);
  const policy = document.headers.get('content-security-policy') ?? '';
  assert.match(policy, /script-src 'self'/);
  assert.doesNotMatch(policy, /unsafe/);
  const html = await document.text();
  assert.doesNotMatch(html, /<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon[a-z]+=/i);
  const assets = [...html.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path);
  assert.ok(assets.length >= 3);
  for (const path of assets) {
    const answer = await fetch(site.service.url + path, { headers: { 'accept-encoding': 'br' } });
    assert.match(answer.headers.get('cache-control') ?? '', /max-age=31536000, immutable/, path);
    assert.equal(answer.headers.get('content-encoding'), 'br', path);
  }
});
