import assert from 'node:assert/strict';
import { renderMarkdown } from '../../src/features/site/render-markdown.ts';
import { assertAccessible, assertLeavesAltLeftToBrowser } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { getRows } from './watchlist-card.ts';
import { getHoldings } from './home-holdings.ts';

test('shows visitors the plans with prices and a read-only sample portfolio', async ({ visit }) => {
  const page = await visit();
  await page.goto('/');
  await page.getByRole('heading', { name: 'Your whole portfolio in one place', level: 1 }).waitFor();
  const plans = page.getByRole('list', { name: 'Plans' });
  await plans.getByText('20 tickers on your watchlist').waitFor();
  assert.deepEqual(await plans.getByText(/ a month$/).allInnerTexts(), ['$9.99 a month', '$19.99 a month']);
  await page.getByRole('heading', { name: 'Where your data are', level: 2 }).waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Developers' }).waitFor();

  await test.step('opens the sample portfolio with its data', async () => {
    await page.getByRole('button', { name: 'See a sample portfolio' }).click();
    await page.getByRole('complementary', { name: 'Sample portfolio' }).waitFor();
    await getRows(page).first().waitFor();
    await getHoldings(page).waitFor();
    assert.equal(new URL(page.url()).pathname, '/dashboard');
  });
  await test.step('refuses a write of the page', async () => {
    const { status, code } = await page.evaluate(async () => {
      const client = (await (await fetch('/_idp/v1/client')).json()) as { response: { sessions: { id: string }[] } };
      const id = client.response.sessions[0]!.id;
      const { jwt } = (await (
        await fetch(`/_idp/v1/client/sessions/${id}/tokens`, { method: 'POST', body: new URLSearchParams() })
      ).json()) as { jwt: string };
      const response = await fetch('/api/watchlist', {
        method: 'POST',
        headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/json' },
        body: JSON.stringify({ symbol: 'INTC' }),
      });
      return { status: response.status, code: ((await response.json()) as { code: string }).code };
    });
    assert.deepEqual([status, code], [403, 'DEMO_MODE']);
  });
  await test.step('has no settings, also after a reload', async () => {
    for (const path of ['/settings', '/settings/api-keys', '/settings/connections', '/plans']) {
      await page.goto(path);
      await page.getByText('The sample portfolio is read-only and has no settings.').waitFor();
      assert.equal(await page.getByRole('main').getByRole('textbox').count(), 0);
    }
  });
  await test.step('returns to the landing page when the visitor signs out', async () => {
    await page.goto('/dashboard');
    await page.getByRole('button', { name: /^Account of / }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'See a sample portfolio' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/');
  });
});

for (const size of ['phone', 'desktop'] as const)
  test(`shows the title before the scripts, in its final place, on a ${size}`, async ({ visit }) => {
    const page = await visit({ size });
    const scripts = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await scripts.promise;
      await route.continue();
    });
    await page.goto('/', { waitUntil: 'commit' });
    const readPlaces = (): Promise<string[]> =>
      page.locator('h1, h1 + p').evaluateAll((elements) =>
        elements.map((element) => {
          const { x, y, width, height } = element.getBoundingClientRect();
          return `${x},${y} ${width}×${height}`;
        }),
      );
    await page.locator('h1 + p').waitFor();
    await page.evaluate(() => document.fonts.ready);
    const places = await readPlaces();
    scripts.resolve();
    await page.getByRole('button', { name: 'See a sample portfolio' }).waitFor();
    assert.deepEqual(await readPlaces(), places);
  });

test('shows a member nothing of the landing page while the scripts load', async ({ visit }) => {
  const page = await visit();
  await page.addInitScript(() => localStorage.setItem('tally.member', '1'));
  await page.route(
    '**/assets/*.js',
    (route) => new Promise((resolve) => page.once('close', () => resolve(route.abort()))),
  );
  await page.goto('/', { waitUntil: 'commit' });
  await page.locator('h1').waitFor({ state: 'attached' });
  assert.equal(await page.locator('h1').isVisible(), false);
});

test('counts a typed message in the browser once the counter is in view', async ({ page }) => {
  const requests: string[] = [];
  page.on('request', (request) => requests.push(new URL(request.url()).pathname));
  await page.goto('/');
  const chart = page.getByRole('slider', { name: 'Net worth of the sample portfolio over a year' });
  await chart.waitFor();
  assert.ok(!requests.some((path) => path.includes('count-worker')), 'nothing of the counter is loaded before');

  await page.getByRole('heading', { name: 'For developers' }).scrollIntoViewIfNeeded();
  const field = page.getByLabel('Your message');
  await field.fill('Hello, world');

  await page.locator('output').getByText('11', { exact: true }).waitFor();
  assert.ok(!requests.includes('/v1/messages/count_tokens'));
});

test('leaves Alt+Left on a line chart to the browser', async ({ page }) => {
  await page.goto('/');
  const chart = page.getByRole('slider', { name: 'Net worth of the sample portfolio over a year' });
  await chart.waitFor();
  await assertLeavesAltLeftToBrowser(chart);
});

test('leads from the plans to a new account when a visitor opens them', async ({ page }) => {
  await page.goto('/plans');
  await page.getByRole('list', { name: 'Plans' }).getByText('$9.99 a month').waitFor();
  await assertAccessible(page, '/plans of a visitor');

  await page.getByRole('main').getByRole('link', { name: 'Create account' }).click();

  await page.getByRole('heading', { level: 1 }).getByText('Create').waitFor();
  assert.equal(new URL(page.url()).pathname, '/sign-up');
});

test('names the landing page and its picture for shared links', async ({ service }) => {
  const html = await (await fetch(service.url)).text();
  assert.match(html, /<title>Tally: your whole portfolio in one place<\/title>/);
  const picture = /<meta property="og:image" content="(http[^"]+)">/.exec(html)?.[1];
  assert.ok(picture !== undefined, 'the address of the picture is whole');
  const response = await fetch(new URL(new URL(picture).pathname, service.url));
  assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/png']);
});

test('leads from the sample portfolio to a new account', async ({ visit }) => {
  const page = await visit({ size: 'phone' });
  await page.goto('/');
  await page.getByRole('button', { name: 'See a sample portfolio' }).click();
  const bar = page.getByRole('complementary', { name: 'Sample portfolio' });
  await bar.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Create your account', level: 1 }).waitFor();
  assert.equal(await bar.count(), 0);
});

test('stays on the landing page with a message when the sample is unavailable', async ({ visit }) => {
  const page = await visit({ expected: [/Failed to load resource/, /answer 503/] });
  await page.route('**/api/sample-portfolio', (route) =>
    route.fulfill({ status: 503, contentType: 'application/json', body: '{"code":"UNAVAILABLE","message":"Later."}' }),
  );
  await page.goto('/');
  await page.getByRole('button', { name: 'See a sample portfolio' }).click();
  await page.getByText('The sample portfolio is not available right now.').waitFor();
  assert.equal(new URL(page.url()).pathname, '/');
});

test('says from every visitor’s page what is stored, and shows the text of the operator', async ({
  service,
  visit,
}) => {
  const page = await visit({ size: 'phone' });
  await page.goto('/sign-up');
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy' }).click();
  await page.getByRole('heading', { name: 'What is stored about you', level: 2 }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/privacy');
  await page.getByText('No data about you is sent to another company.').waitFor();
  await page.getByRole('contentinfo').getByRole('link', { name: 'Terms' }).click();
  await page.getByText('has not published terms of use').waitFor();

  await test.step('fits a wide table and a long word of the operator on a small phone', async () => {
    const html = renderMarkdown(
      `# Terms of Example\n\n${'word'.repeat(60)}\n\n| ${'column | '.repeat(12)}\n|${'---|'.repeat(12)}\n`,
    ).html;
    await page.route('**/api/site/documents/terms', (route) =>
      route.fulfill({ json: { title: 'Terms of Example', html, source: 'operator' } }),
    );
    await page.setViewportSize({ width: 320, height: 640 });
    await page.reload();
    await page.getByRole('heading', { name: 'Terms of Example', level: 1 }).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await assertAccessible(page, 'terms of an operator');
  });
  await test.step('allows no picture, script or style from elsewhere', async () => {
    const policy = (await fetch(`${service.url}/privacy`)).headers.get('content-security-policy') ?? '';
    assert.match(policy, /(^|;)img-src 'self' data:(;|$)/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  });
});
