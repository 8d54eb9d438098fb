import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'vitest';

/** Files with forms that do not ask before typed text is lost, and why. */
const unguarded: Readonly<Record<string, string>> = {
  'src/features/assistant/ui/composer.tsx': 'keeps its text',
  'src/features/alerts/ui/set-alert-dialog.tsx': 'in a dialog',
  'src/features/billing/ui/revenue-page.tsx': 'a token, and dates of a report',
  'src/features/connections/ui/rename-dialog.tsx': 'in a dialog',
  'src/features/operator/ui/operator-page.tsx': 'a token',
  'src/features/operator/ui/operator-sections.tsx': 'a search',
  'src/features/portfolio/accounts/ui/account-form.tsx': 'in a dialog',
  'src/features/portfolio/holdings/ui/add-investment.tsx': 'in a dialog',
  'src/features/portfolio/holdings/ui/holding-dialog.tsx': 'in a dialog',
  'src/features/portfolio/import/ui/choose-file.tsx': 'in a dialog',
  'src/features/settings/ui/passkey-dialogs.tsx': 'in a dialog',
  'src/features/settings/ui/set-up-app-dialog.tsx': 'in a dialog',
  'src/features/watchlist/ui/edit/move-menu.tsx': 'in a dialog',
  'src/features/watchlist/ui/import/import-list.tsx': 'in a dialog',
  'src/ui/kit/form.tsx': 'its callers guard it',
  'src/ui/shell/gallery/form-samples.tsx': 'samples',
  'src/ui/shell/reauthentication/reauthentication-dialog.tsx': 'in a dialog',
  'src/ui/shell/sign-in/account-card.tsx': 'its callers guard it',
  'src/ui/shell/sign-in/forgot-password-page.tsx': 'an address',
  'src/ui/shell/sign-in/renew-session-dialog.tsx': 'in a dialog',
  'src/ui/shell/sign-in/second-factor-form.tsx': 'a code',
  'src/ui/shell/sign-in/verify-email-page.tsx': 'a code',
};

test('guards typed text in each form without a listed reason', () => {
  const withForm = globSync('src/**/*.tsx')
    .map((file) => ({ file: file.replaceAll('\\', '/'), text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /<(?:form|Form)[\s>]/.test(text));
  assert.ok(withForm.length > 20);
  const actual = withForm.filter(({ text }) => !text.includes('guardInput}')).map(({ file }) => file);
  assert.deepEqual(actual.toSorted(), Object.keys(unguarded).toSorted());
});
