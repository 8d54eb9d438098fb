import assert from 'node:assert/strict';
import type { Locator, Page } from '@playwright/test';
import { assertAccessibleInAllVariants } from '../support/browser.ts';
import { createPng } from '../support/image-bytes.ts';
import { createPdf } from '../support/pdf-bytes.ts';
import type { TestService } from '../support/service.ts';
import { test } from './fixtures.ts';
import { register } from './people.ts';

const PATH = '/developers/playground';

const png = { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from(createPng(640, 480)) };
const pdf = {
  name: 'report.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from(createPdf([['The first page'], ['And the second page']])),
};

/** Returns the count of the running service. */
async function countAtEndpoint(service: TestService, request: object): Promise<number> {
  const response = await fetch(`${service.url}/v1/messages/count_tokens`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'svc-version': '2023-06-01',
      'x-api-key': service.firstRun.api_key,
    },
    body: JSON.stringify(request),
  });
  const body = (await response.json()) as { input_tokens: number };
  assert.equal(response.status, 200, JSON.stringify(body));
  return body.input_tokens;
}

const getEditor = (page: Page): Locator => page.getByLabel('Request as JSON');
const openForm = (page: Page): Promise<void> => page.getByText('Build', { exact: true }).click();
const openJson = (page: Page): Promise<void> => page.getByText('Paste JSON', { exact: true }).click();

const format = (count: number): string => count.toLocaleString('en-US');

/** Waits until the page announces exactly these counts, and compares the sum of the parts. */
async function waitForCounts(page: Page, counts: Readonly<Record<string, number>>): Promise<void> {
  const text = Object.entries(counts)
    .map(([name, count]) => `${format(count)} input tokens for ${name}`)
    .join('. ');
  await page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const table = page.getByRole('table', { name: 'Tokens by part' });
  for (const [index, count] of Object.values(counts).entries()) {
    const cells = await table.locator(`tbody td:nth-of-type(${index + 1})`).allInnerTexts();
    const sum = cells.reduce((total, cell) => total + Number(/[\d,]+/.exec(cell)?.[0].replaceAll(',', '') ?? 0), 0);
    assert.equal(sum, count, 'the parts add up');
  }
}

/** Drops files on an element, as a browser does when they come from the desktop. */
async function dropFiles(page: Page, target: Locator, files: readonly (typeof png)[]): Promise<void> {
  const transfer = await page.evaluateHandle(
    (items) => {
      const data = new DataTransfer();
      for (const { name, mimeType, base64 } of items) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        data.items.add(new File([bytes], name, { type: mimeType }));
      }
      return data;
    },
    files.map(({ name, mimeType, buffer }) => ({ name, mimeType, base64: buffer.toString('base64') })),
  );
  await target.dispatchEvent('dragover', { dataTransfer: transfer });
  await target.dispatchEvent('drop', { dataTransfer: transfer });
}

const toolRequest = {
  model: 'claude-sonnet-4-5',
  system: [{ type: 'text', text: 'You are a scientist' }],
  tools: [
    {
      name: 'get_weather',
      description: 'Returns the weather.',
      input_schema: { type: 'object', properties: { place: { type: 'string' } } },
    },
  ],
  messages: [
    { role: 'user', content: 'What is the weather in Lisbon?' },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'get_weather', input: { place: 'Lisbon' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'Sunny, 24 °C' }] },
  ],
};

test('counts a pasted request like the service for several models and sends nothing', async ({ page, service }) => {
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${request.url()} ${request.postData() ?? ''}`));
  await page.goto(PATH);
  await page
    .getByRole('status')
    .getByText(/input tokens for Claude Sonnet 5$/)
    .waitFor();
  // A whole request to create a message.
  await getEditor(page).fill(JSON.stringify({ ...toolRequest, max_tokens: 1_024, stream: true }, null, 2));
  const first = await countAtEndpoint(service, toolRequest);
  await waitForCounts(page, { 'Claude Sonnet 4.5': first });
  await page.getByText('Left out, because they do not change the input: max_tokens, stream.').waitFor();

  for (const model of ['claude-opus-4-7', 'claude-3-haiku']) {
    await page.getByLabel('Compare with').selectOption(model);
    await page.getByRole('button', { name: 'Add model' }).click();
  }
  await page.getByRole('button', { name: 'Remove Claude Haiku 3' }).click();
  const second = await countAtEndpoint(service, { ...toolRequest, model: 'claude-opus-4-7' });
  await waitForCounts(page, { 'Claude Sonnet 4.5': first, 'Claude Opus 4.7': second });
  await page.getByRole('rowheader', { name: 'Tool: get_weather' }).waitFor();
  const panel = page.getByRole('region', { name: 'Input tokens' });
  await panel.getByText('% of the context window of 200,000.').waitFor();
  await panel.getByText('% of the context window of 1,000,000.').waitFor();
  await panel.getByText('Room for an answer of 64,000 tokens.').waitFor();
  const costs = await panel.getByRole('definition').allInnerTexts();
  // $3 and $5 per million tokens, and a tenth from the cache.
  const dollars = [first * 3e-6, first * 3e-7, second * 5e-6, second * 5e-7];
  assert.deepEqual(
    costs.map((cost) => Number(cost.replace('$', '')).toPrecision(4)),
    dollars.map((cost) => cost.toPrecision(4)),
  );
  assert.deepEqual(
    sent.filter((request) => /weather|Lisbon|count_tokens|^POST.*\/api\//.test(request)),
    [],
  );
  await assertAccessibleInAllVariants(page, 'the playground with two models');
});

test('names the line of a syntax error and of an invalid field', async ({ page }) => {
  await page.goto(PATH);
  await getEditor(page).fill(
    '{\n  "model": "claude-sonnet-5",\n  "messages": [\n    { "role": "user" "content": "a" }\n  ]\n}',
  );
  await page
    .getByText(/^Line 4: The request body is not valid JSON: unexpected character: line 4 column 22 \(char 69\)$/)
    .waitFor();
  const wrong = {
    model: 'claude-sonnet-5',
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 5 },
    ],
  };
  await getEditor(page).fill(JSON.stringify(wrong, null, 2));
  await page.getByText(/^Line 10: messages\.1\.content: /).waitFor();
  assert.equal(await getEditor(page).getAttribute('aria-invalid'), 'true');
  await page.getByRole('button', { name: 'Go to line 10' }).click();
  assert.equal(
    await getEditor(page).evaluate((area: HTMLTextAreaElement) => area.value.slice(area.selectionStart).split('\n')[0]),
    '5',
  );
  await assertAccessibleInAllVariants(page, 'the playground with an error');
});

test(
  'builds a request with turns, tools, thinking and a system prompt',
  { tag: '@slow' },
  async ({ page, service }) => {
    await page.goto(PATH);
    await getEditor(page).fill('');
    await openForm(page);
    await page.getByLabel('Model', { exact: true }).selectOption('claude-sonnet-4-5');
    await page.getByLabel('System prompt').fill('You are a scientist');
    await page.getByLabel('Extended thinking').selectOption('enabled');
    await page.getByLabel('Budget in tokens').fill('2000');
    await page.getByLabel('Tools as JSON').fill(JSON.stringify(toolRequest.tools));
    for (const text of ['Hello', 'Hi', 'Goodbye']) {
      await page.getByRole('button', { name: 'Add turn' }).click();
      // The new turn has the focus.
      await page.keyboard.type(text);
    }
    const built = {
      model: 'claude-sonnet-4-5',
      system: 'You are a scientist',
      thinking: { type: 'enabled', budget_tokens: 2_000 },
      tools: toolRequest.tools,
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi' },
        { role: 'user', content: 'Goodbye' },
      ],
    };
    await waitForCounts(page, { 'Claude Sonnet 4.5': await countAtEndpoint(service, built) });
    await assertAccessibleInAllVariants(page, 'the playground with a built request');

    await page.getByRole('button', { name: 'Move turn 3 up' }).click();
    assert.equal(await page.getByRole('button', { name: 'Move turn 2 up' }).evaluate(isFocused), true);
    await page.getByRole('button', { name: 'Remove turn 3' }).click();
    await page.getByLabel('2, role of the turn').selectOption('assistant');
    await openJson(page);
    const moved = {
      ...built,
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Goodbye' },
      ],
    };
    assert.deepEqual(JSON.parse(await getEditor(page).inputValue()), moved);
  },
);

test('offers the thinking types and efforts that the model has', async ({ page }) => {
  await page.goto(PATH);
  await openForm(page);
  const listOptions = (label: string): Promise<string[]> => page.getByLabel(label).locator('option').allInnerTexts();
  const model = page.getByLabel('Model', { exact: true });
  await model.selectOption('claude-haiku-4-5');
  assert.deepEqual(await listOptions('Extended thinking'), ['Default of the model', 'Off', 'On, with a budget']);
  assert.equal(await page.getByLabel('Effort').count(), 0);
  await model.selectOption('claude-opus-4-6');
  assert.deepEqual(await listOptions('Effort'), ['Default of the model', 'Low', 'Medium', 'High', 'Maximum']);
  await page.getByLabel('Effort').selectOption('max');
  await page.getByLabel('Extended thinking').selectOption('adaptive');
  // The value stays when the next model does not have it, and the counter says why it is refused.
  await model.selectOption('claude-opus-4-5');
  assert.deepEqual(await listOptions('Effort'), ['Default of the model', 'max', 'Low', 'Medium', 'High']);
  await page.getByText(/adaptive thinking is not supported on this model/).waitFor();
  // It is not published whether this model has thinking between tools.
  await model.selectOption('claude-fable-5-2');
  assert.deepEqual(await listOptions('Extended thinking'), [
    'Default of the model',
    'Off, with updates between tools',
    'Adaptive',
  ]);
});

const isFocused = (element: Element): boolean => element === document.activeElement;

test('counts a dropped image and a dropped PDF like the service', { tag: '@slow' }, async ({ page, service }) => {
  await page.goto(PATH);
  await openForm(page);
  await dropFiles(page, page.getByRole('group', { name: 'Turn 1' }), [png, pdf]);
  await page.getByRole('rowheader', { name: 'Image: photo.png' }).waitFor();
  await page.getByRole('rowheader', { name: 'PDF: report.pdf' }).waitFor();
  await openJson(page);
  const text = await getEditor(page).inputValue();
  assert.match(text, /"data": "\[photo\.png, \d+ B\]"/);
  const complete = JSON.parse(
    text
      .replace(/\[photo\.png[^\]]*\]/, png.buffer.toString('base64'))
      .replace(/\[report\.pdf[^\]]*\]/, pdf.buffer.toString('base64')),
  ) as { messages: { content: { type: string }[] }[] };
  assert.deepEqual(
    complete.messages[0]!.content.map(({ type }) => type),
    ['image', 'document', 'text'],
  );
  await waitForCounts(page, { 'Claude Sonnet 5': await countAtEndpoint(service, complete) });

  await test.step('replaces pasted base64 data by a name', async () => {
    await getEditor(page).fill(JSON.stringify(withPadding(complete)));
    await page.getByRole('rowheader', { name: 'Image: pasted file' }).waitFor();
    assert.ok((await getEditor(page).inputValue()).length < 2_000);
  });
  await test.step('rejects a file that is neither an image nor a PDF', async () => {
    await dropFiles(page, getEditor(page), [{ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') }]);
    await page.getByRole('alert').getByText('a.txt is no PNG, JPEG, GIF or WebP image and no PDF.').waitFor();
  });
});

/** Returns the request with an image of more than 2,000 base64 digits. */
function withPadding(request: object): object {
  const padded = Buffer.concat([png.buffer, Buffer.alloc(3_000)]).toString('base64');
  return JSON.parse(JSON.stringify(request).replace(png.buffer.toString('base64'), padded)) as object;
}

test(
  'restores the request of a link and nothing of a damaged link',
  { tag: '@slow' },
  async ({ page, visit, service }) => {
    await page.goto(PATH);
    await getEditor(page).fill(JSON.stringify(toolRequest, null, 2));
    await page.getByLabel('Compare with').selectOption('claude-opus-4-7');
    await page.getByRole('button', { name: 'Add model' }).click();
    await dropFiles(page, getEditor(page), [pdf]);
    await page.getByRole('rowheader', { name: 'PDF: report.pdf' }).waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    const url = await page.getByLabel('Link to this request').inputValue();
    const text = await getEditor(page).inputValue();
    const complete = JSON.parse(text.replace(/\[report\.pdf[^\]]*\]/, pdf.buffer.toString('base64'))) as object;

    const other = await visit();
    await other.goto(url);
    await waitForCounts(other, {
      'Claude Sonnet 4.5': await countAtEndpoint(service, complete),
      'Claude Opus 4.7': await countAtEndpoint(service, { ...complete, model: 'claude-opus-4-7' }),
    });
    assert.equal(await getEditor(other).inputValue(), text);

    await test.step('keeps the shown request when a damaged link is opened in the same page', async () => {
      await other.evaluate(
        (fragment) => {
          location.hash = fragment;
        },
        new URL(url).hash.slice(0, -9),
      );
      await other.getByRole('alert').getByText('This link is damaged or not complete.').waitFor();
      assert.equal(await getEditor(other).inputValue(), text);
    });
  },
);

test('counts offline after the page is loaded, also a PDF', { tag: '@slow' }, async ({ visit, service }) => {
  const page = await visit({ expected: [/ERR_INTERNET_DISCONNECTED/] });
  await page.goto(PATH);
  // The reader of PDFs loads after the first count.
  await page.waitForResponse((response) => /\/pdfjs-[^/]*\.js$/.test(response.url()));
  await page.context().setOffline(true);
  await dropFiles(page, getEditor(page), [pdf]);
  await page.getByRole('rowheader', { name: 'PDF: report.pdf' }).waitFor();
  const text = await getEditor(page).inputValue();
  await page.context().setOffline(false);
  const complete = JSON.parse(text.replace(/\[report\.pdf[^\]]*\]/, pdf.buffer.toString('base64'))) as object;
  await waitForCounts(page, { 'Claude Sonnet 5': await countAtEndpoint(service, complete) });
});

test('keeps the text and offers a retry when the counter fails to load', { tag: '@slow' }, async ({ visit }) => {
  const page = await visit({ expected: [/ERR_FAILED/, /Failed to fetch a worker script/] });
  await page.route('**/assets/count-worker-*.js', (route) => route.abort());
  await page.goto(PATH);
  await page.getByText('The counter could not be loaded.').waitFor();
  const text = await getEditor(page).inputValue();
  await page.unroute('**/assets/count-worker-*.js');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page
    .getByRole('status')
    .getByText(/^\d+ input tokens/)
    .waitFor();
  assert.equal(await getEditor(page).inputValue(), text);
});

test('fits 320 pixels in both views without scrolling sideways', { tag: '@slow' }, async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 700 });
  await page.goto(PATH);
  await page.getByRole('table', { name: 'Tokens by part' }).waitFor();
  const getOverflow = (): Promise<number> =>
    page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(await getOverflow(), 0);
  for (const model of ['claude-opus-4-7', 'claude-haiku-4-5', 'claude-3-opus']) {
    await page.getByLabel('Compare with').selectOption(model);
    await page.getByRole('button', { name: 'Add model' }).click();
  }
  // The hidden words of an estimate must not widen the page.
  await dropFiles(page, getEditor(page), [pdf]);
  await page
    .getByRole('cell', { name: /^about / })
    .first()
    .waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByLabel('Link to this request').waitFor();
  await page.getByRole('columnheader', { name: 'Claude Opus 3' }).waitFor();
  assert.equal(await getOverflow(), 0);
  await openForm(page);
  await page.getByLabel('System prompt').waitFor();
  assert.equal(await getOverflow(), 0);
  for (let turn = 0; turn < 2; turn += 1) await page.getByRole('button', { name: 'Add turn' }).click();
  const card = (await page.getByRole('region', { name: 'Request' }).boundingBox())!;
  const turn = (await page.getByRole('group', { name: 'Turn 2' }).boundingBox())!;
  assert.equal(turn.width, card.width - 2 * (turn.x - card.x), 'the form has the same space on both sides');
});

test('leads from the landing page and the API keys to the playground', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('banner').getByRole('link', { name: 'Developers' }).click();
  await page.getByRole('heading', { name: 'Developers', level: 1 }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Playground' }).click();
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
  await register(page);
  await page.goto('/settings/api-keys');
  await page.getByRole('link', { name: 'playground' }).click();
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor();
});
