import assert from 'node:assert/strict';
import { BANKS } from '../../src/embedded/bank/bank-data.ts';
import {
  CANCEL,
  renderChoiceField,
  renderCodePage,
  renderDonePage,
  renderErrorSummary,
  renderPage,
  renderSignInFields,
  type EmbeddedPage,
} from '../../src/embedded/shared/render-page.ts';
import { assertAccessible, themes } from '../support/browser.ts';
import { findClippedTexts } from '../support/clipped-texts.ts';
import { test } from './fixtures.ts';

const PAGES: readonly EmbeddedPage[] = [
  {
    title: 'Subscribe',
    isError: true,
    body: `${renderErrorSummary('The card was declined. Choose another one.', 'card')}<form method="post">
<fieldset><legend>Test card</legend><label><input type="radio" name="card" id="card" checked> 4242 pays</label>
<label><input type="radio" name="card"> 0002 is declined</label></fieldset>
<button name="action" value="pay">Pay</button>${CANCEL}</form>`,
  },
  {
    title: 'Sign in to your bank',
    body: `<form method="post">${renderChoiceField('bank', 'Bank', BANKS, undefined)}${renderSignInFields('', 'Try <code>user_good</code>.')}
<button name="action" value="sign-in">Sign in</button>${CANCEL}</form>`,
  },
  renderCodePage('The code is wrong.'),
  renderDonePage('This page has expired. Start again.', 'http://tally.test/settings/connections'),
];

test('fits the sandbox’s pages to every width and marks the main button in both themes', async ({ visit }) => {
  for (const theme of themes) {
    const page = await visit({ theme });
    for (const embeddedPage of PAGES) {
      const name = { name: 'Sandbox Bank', kind: 'bank' };
      await page.setContent(renderPage(embeddedPage, name).document);
      await page.getByText('Sandbox. This is a test, not a real bank.').waitFor();
      await assertAccessible(page, `${embeddedPage.title}, ${theme}`);
      for (const width of [320, 390, 768, 1920]) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await findClippedTexts(page, []), [], `${embeddedPage.title}, ${theme}, ${width} px`);
      }
      const colors = await page
        .getByRole('button')
        .evaluateAll((buttons) => buttons.map((button) => getComputedStyle(button).backgroundColor));
      assert.equal(new Set(colors).size, colors.length, embeddedPage.title);
    }
  }
});
