import assert from 'node:assert/strict';
import { test } from './fixtures.ts';
import { waitForAllCards } from './record-shifts.ts';
import { registerSampleMember } from './sample-member.ts';

const CARD_PATHS = [
  '/api/dashboard',
  '/api/net-worth',
  '/api/accounts',
  '/api/portfolio/holdings',
  '/api/connections',
  '/api/earnings',
  '/api/dividends',
  '/api/news',
  '/api/watchlist',
  '/api/watchlist/earnings',
];

test('reads all cards in one request unless that fails', async ({ visit, service }) => {
  const page = await visit({ expected: [/answer 503/, /status of 503/] });
  await registerSampleMember(page, service, 'max');
  await page.goto('/dashboard');
  await waitForAllCards(page);
  const paths: string[] = [];
  page.on('request', (request) => paths.push(new URL(request.url()).pathname));
  const listReads = (): string[] => paths.filter((path) => path === '/api/home' || CARD_PATHS.includes(path)).sort();
  await test.step('reads all cards in one request', async () => {
    await page.reload();
    await waitForAllCards(page);
    assert.deepEqual(listReads(), ['/api/home']);
  });
  await test.step('reads each card on its own when the request fails', async () => {
    await page.route('**/api/home', (route) =>
      route.fulfill({ status: 503, json: { code: 'UNAVAILABLE', message: 'Try again.' } }),
    );
    paths.length = 0;
    await page.reload();
    await waitForAllCards(page);
    assert.deepEqual(listReads(), [...CARD_PATHS, '/api/home'].sort());
  });
});
