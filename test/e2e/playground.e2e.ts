import assert from 'node:assert/strict';
import { assertAccessibleInAllVariants } from '../support/browser.ts';
import { test } from './fixtures.ts';
import { register } from './people.ts';

test('counts typed text like the service without sending it', async ({ page, service }) => {
  await register(page);
  await page.goto('/settings/api-keys');
  await page.getByText('No keys yet.').waitFor();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.getByLabel('Model').selectOption('claude-sonnet-4-5');
  await page.getByLabel('System prompt').pressSequentially('You are a scientist');
  await page.getByLabel('Message').pressSequentially('Hello, Claude. How many tokens are these?');
  const response = await fetch(`${service.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'svc-version': '2023-06-01',
      'x-api-key': service.firstRun.api_key,
    },
    body: JSON.stringify({
      model: 'claude-sonnet-4-5',
      system: 'You are a scientist',
      messages: [{ role: 'user', content: 'Hello, Claude. How many tokens are these?' }],
    }),
  });
  const { input_tokens } = (await response.json()) as { input_tokens: number };
  await page.getByRole('status').getByText(`${input_tokens} input tokens`).waitFor();
  const parts = await page.getByRole('table', { name: 'Tokens by part' }).getByRole('cell').allInnerTexts();
  assert.equal(
    parts.reduce((sum, text) => sum + Number(text), 0),
    input_tokens,
    'the parts add up',
  );
  assert.deepEqual(
    sent.filter((request) => /scientist|Hello/.test(request)),
    [],
  );
  await assertAccessibleInAllVariants(page, 'the playground with a count');
});

test('keeps the text and offers a retry when the counter fails to load', async ({ visit }) => {
  const page = await visit({ expected: [/ERR_FAILED/, /Failed to fetch a worker script/] });
  await register(page);
  await page.goto('/settings/api-keys');
  await page.getByText('No keys yet.').waitFor();
  await page.route('**/assets/count-worker-*.js', (route) => route.abort());
  await page.getByLabel('Message').fill('Still here');
  await page.getByText('The counter could not be loaded.').waitFor();
  await page.unroute('**/assets/count-worker-*.js');
  await page.getByRole('region', { name: 'Playground' }).getByRole('button', { name: 'Try again' }).click();
  await page
    .getByRole('status')
    .getByText(/^\d+ input tokens$/)
    .waitFor();
  assert.equal(await page.getByLabel('Message').inputValue(), 'Still here');
});
