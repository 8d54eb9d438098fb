import type { Page } from 'playwright-core';
import type { Conversation } from '../../src/assistant/contract.ts';
import { reportTitles } from '../../src/assistant/reports/reports.ts';

/** The service's answers as with a model's key, which a picture needs no more than a real answer. */
const ID = '0199a7c2-5c1e-7d3a-9b52-3f0c8e6d1a47';
const at = new Date(Date.now() - 120_000).toISOString();
const heading = {
  ...{ id: ID, title: 'Which of my stocks gained most this week?', symbol: null },
  ...{ created_at: at, updated_at: at, deleted_at: new Date(Date.now() + 30 * 86_400_000).toISOString() },
};
const sql = `select h.symbol, h.name, round(100 * (p.price / c.close - 1), 2) as week
from holdings h
join prices p using (symbol)
join closes c on c.symbol = h.symbol and c.day = current_date - 7
order by week desc
limit 3`;
const conversation: Conversation = {
  ...heading,
  messages: [
    { role: 'member', id: ID, text: heading.title, symbol: null, created_at: at },
    {
      ...{ role: 'assistant', id: `${ID.slice(0, -1)}8`, status: 'done', reason: 'complete', failure: null },
      ...{ links: [], removed_links: 0, created_at: at },
      parts: [
        {
          type: 'tool',
          call: {
            ...{ id: 'call_1', name: 'run_sql', title: 'A question to your data', input: { sql }, status: 'ok' },
            result: {
              columns: ['symbol', 'name', 'week'],
              rows: [
                ['AAPL', 'Apple Inc.', 3.42],
                ['VTI', 'Vanguard Total Stock Market ETF', 1.18],
                ['MSFT', 'Microsoft Corporation', -0.36],
              ],
              ...{ truncated: false, notes: ['Prices are sample data.'], links: [] },
            },
          },
        },
        {
          type: 'text',
          text:
            '**Apple** gained most: 3.42% since Monday of last week.\n\n| | Week |\n|---|---|\n| AAPL | +3.42% |\n' +
            '| VTI | +1.18% |\n| MSFT | −0.36% |\n\nThe figures are closes; they name no cause.',
        },
      ],
      usage: { counted: 4_896, input: 4_902, output: 212, calls: 2 },
    },
  ],
};

/** A kept answer with its look-up open. */
export async function showAnswer(page: Page): Promise<void> {
  // The font is in the cache before the next document asks for it: it would do without one that is late.
  await page.evaluate(() => document.fonts.load('1em "Hanken Grotesk Variable"'));
  await page.route('**/api/assistant', (route) =>
    route.fulfill({
      json: {
        ...{ available: true, unavailable_because: null, model: 'claude-sonnet-5-5', with_model: null },
        ...{ used: { answers: 3, tokens: 12_400 }, limit: { answers: 30, tokens: 400_000 } },
        resets_at: new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString(),
        reports: Object.entries(reportTitles).map(([kind, words]) => ({ kind, ...words })),
      },
    }),
  );
  await page.route('**/api/assistant/conversations', (route) =>
    route.fulfill({
      json: {
        conversations: [
          heading,
          { ...heading, id: `${ID.slice(0, -1)}9`, title: 'Why is Apple (AAPL) moving today?', symbol: 'AAPL' },
        ],
      },
    }),
  );
  await page.route('**/api/assistant/conversations/*', (route) => route.fulfill({ json: conversation }));
  await page.goto(`/dashboard?assistant=${ID}`);
  const panel = page.getByRole('dialog', { name: 'Assistant' });
  await panel.getByText('gained most: 3.42%').waitFor();
  await panel.locator('summary').click();
  await panel.getByLabel('Your question').waitFor();
  await panel.getByRole('region', { name: 'Conversation' }).evaluate((box) => box.scrollTo(0, 0));
}

/** The conversations that are kept. */
export async function showEarlier(page: Page): Promise<void> {
  await showAnswer(page);
  await page.getByRole('button', { name: 'Earlier' }).click();
  await page.getByRole('region', { name: 'Earlier conversations' }).getByRole('listitem').first().waitFor();
}

/** A plain report, as it is without a key. */
export async function showReport(page: Page): Promise<void> {
  const panel = page.getByRole('dialog', { name: 'Assistant' });
  await panel.getByLabel('About one ticker').selectOption('AAPL');
  await panel.getByRole('button', { name: 'Why is it moving?' }).click();
  await panel.getByRole('heading', { level: 3 }).first().waitFor();
}
