import assert from 'node:assert/strict';
import { listCommands } from '../support/page-commands.ts';
import { applyEdits, findCode, listLabels, readTutorial, signIn, stop, test } from './follow-tutorial.ts';

// Follows the tutorial as it is written. Its checks alone take minutes.
test.setTimeout(1_800_000);

test('the first change works when a newcomer follows it', { tag: '@slow' }, async ({ page, checkout }) => {
  const read = (heading: string) => readTutorial('first-change.md', heading);
  const writing = read('1. Write the test');
  assert.equal(applyEdits(writing, checkout.folder), 1);
  const [runTests] = listCommands(writing) as [string];
  assert.throws(
    () => checkout.run(runTests),
    ({ stdout, stderr }: { stdout: string; stderr: string }) =>
      (stdout + stderr).match(/^ *405 !== \d+/gm)?.length === 2,
  );

  assert.equal(applyEdits(read('2. Declare the route'), checkout.folder), 1);
  assert.equal(applyEdits(read('3. Read the database'), checkout.folder), 1);
  assert.equal(applyEdits(read('4. Answer the request'), checkout.folder), 2);
  assert.match(checkout.run(runTests), /2 passed, 0 failed/);

  const showing = read('5. Show it');
  assert.equal(applyEdits(showing, checkout.folder), 3);
  const [runDev] = listCommands(showing) as [string];
  const { match, process: dev } = await checkout.start(runDev, /^ready (http:\/\/\S+)/m);
  await signIn(page, match[1]!, checkout.folder);
  const [card] = listLabels(showing) as [string];
  await page.getByRole('region', { name: card }).getByText(findCode(showing, 'card shows')).waitFor();
  await stop(dev);

  const commands = listCommands(read('6. Document and check')).filter((command) => !command.startsWith('git '));
  assert.equal(commands.length, 5);
  for (const command of commands) checkout.run(command);
});
