import assert from 'node:assert/strict';
import { listCommands } from '../support/page-commands.ts';
import { findCode, listLabels, readTutorial, signIn, stop, test } from './follow-tutorial.ts';
import { getSearchField } from './watchlist-card.ts';

// Follows the tutorial as it is written: its commands, labels and expected output.

test('getting started works when a newcomer follows it', { tag: '@slow' }, async ({ page, browser, checkout }) => {
  const read = (heading: string) => readTutorial('getting-started.md', heading);
  const install = listCommands(read('1. Install and start')).find((command) => command.includes('npm start'))!;
  assert.match(install, /^npm ci && /);
  // The copy has its packages.
  const { match, process: service } = await checkout.start(
    `bash -ec '${install.replace('npm ci && ', '')}'`,
    /^ready (http:\/\/\S+)/m,
  );
  const url = match[1]!;

  const counting = read('2. Count tokens');
  const [address, request, countFile] = listCommands(counting) as [string, string, string];
  const counted = checkout.run(`${address}\n${request}`);
  assert.equal(counted, findCode(counting, 'It prints'));
  const { input_tokens: total } = JSON.parse(counted) as { input_tokens: number };
  assert.match(checkout.run(countFile), new RegExp(`\\b${total}\\b`));

  await signIn(page, url, checkout.folder);

  const adding = read('4. Add a ticker');
  const [card, add, symbol, done] = listLabels(adding) as [string, string, string, string];
  const watchlist = page.getByRole('region', { name: card });
  await watchlist.getByRole('button', { name: add }).click();
  await getSearchField(page).fill(findCode(adding, 'Type'));
  await watchlist.getByRole('option', { name: new RegExp(`^${symbol}\\b`) }).click();
  await watchlist.getByRole('button', { name: done }).click();
  const [, company] = /The last row of the list shows (\w+)/.exec(adding)!;
  await watchlist
    .getByRole('listitem')
    .last()
    .getByRole('link', { name: new RegExp(`^${symbol}, ${company}`) })
    .waitFor();

  const sharing = read('5. Share the demo account');
  const [token, create, revoke] = listCommands(sharing) as [string, string, string];
  const link = checkout.run(`${address}\n${token}\n${create}`).match(/http\S+/)![0];
  const viewer = await browser.newPage();
  await viewer.goto(link);
  await viewer.getByRole('button', { name: listLabels(sharing)[0]! }).click();
  await viewer.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  const [list, revokeOne] = revoke.split('\n') as [string, string];
  const listed = checkout.run(`${address}\n${token}\n${list}`);
  const id = /\S+/.exec(listed.split('\n').find((line) => line.includes('Ada'))!)![0];
  checkout.run(`${address}\n${token}\n${revokeOne.replace('ID', id)}`);
  await viewer.reload();
  await viewer.waitForURL(/\/sign-in/);

  await stop(service);
});
