import { inlineHashes } from '../../http/security-headers.ts';
import { BANKS, type SandboxAccount } from './bank-data.ts';

/** What a page is about; each is one form without script. */
export type Page =
  | { step: 'sign-in'; error?: string | undefined; user?: string; bank?: string; isRepair: boolean }
  | { step: 'code'; error?: string | undefined }
  | { step: 'accounts'; error?: string | undefined; bank: string; accounts: readonly SandboxAccount[] }
  | { step: 'over'; message: string; returnUrl?: string | undefined };

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 26rem; padding: 1.5rem 1rem }
.test { border: 2px dashed; border-radius: .5rem; padding: .5rem .75rem }
.error { border-left: .3rem solid #c22; padding: .25rem .75rem }
label, legend { display: block; font-weight: 600; margin-top: 1rem }
fieldset label { font-weight: 400; margin-top: .5rem }
fieldset { border: 0; margin: 0; padding: 0 }
input:not([type=checkbox]), select { box-sizing: border-box; font: inherit; padding: .5rem; width: 100% }
button { font: inherit; margin: 1.25rem .5rem 0 0; min-height: 2.75rem; padding: .5rem 1rem }
`;

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

/** The document, with the headers that allow its style and no script at all. */
export function renderPage(page: Page): { document: string; headers: Record<string, string> } {
  const [title, body] = contentOf(page);
  const document = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${'error' in page && page.error ? 'Error: ' : ''}${title} – Sandbox Bank</title><style>${STYLE}</style></head>
<body><main><p class="test"><strong>Sandbox.</strong> This is a test, and no real bank. Use no real password.</p>
<h1>${title}</h1>${body}</main></body></html>`;
  const policy = `default-src 'none';style-src ${inlineHashes(document, 'style').join(' ')};form-action 'self'`;
  return {
    document,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'content-security-policy': `${policy};frame-ancestors 'none';base-uri 'none'`,
      'x-robots-tag': 'noindex, nofollow',
    },
  };
}

const CANCEL = '<button name="action" value="cancel" formnovalidate>Cancel</button>';

/** The summary takes the focus, so that it is the first thing read aloud. */
const summary = (error: string | undefined, field: string): string =>
  error === undefined
    ? ''
    : `<div class="error" role="alert" tabindex="-1" autofocus><h2>There is a problem</h2>
<p><a href="#${field}">${escape(error)}</a></p></div>`;

function contentOf(page: Page): [title: string, body: string] {
  switch (page.step) {
    case 'sign-in': {
      const banks = Object.entries(BANKS).map(
        ([id, name]) => `<option value="${id}"${id === page.bank ? ' selected' : ''}>${name}</option>`,
      );
      const choice = `<label for="bank">Bank</label><select id="bank" name="bank">${banks.join('')}</select>`;
      return [
        page.isRepair ? 'Sign in to your bank again' : 'Sign in to your bank',
        `${summary(page.error, 'user')}<form method="post" autocomplete="off">${page.isRepair ? '' : choice}
<label for="user">User name</label><input id="user" name="user" required maxlength="60"
 value="${escape(page.user ?? '')}" aria-describedby="hint">
<label for="password">Password</label><input id="password" name="password" type="password" required maxlength="60">
<p id="hint">Try <code>user_good</code> with <code>pass_good</code>.</p>
<button name="action" value="sign-in">Sign in</button>${CANCEL}</form>`,
      ];
    }
    case 'code':
      return [
        'Enter the code',
        `${summary(page.error, 'code')}<form method="post" autocomplete="off"><label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" required maxlength="10" aria-describedby="hint">
<p id="hint">In this sandbox it is 1234.</p><button name="action" value="code">Continue</button>${CANCEL}</form>`,
      ];
    case 'accounts': {
      const boxes = page.accounts.map(
        ({ account_id: id, name, mask }, index) =>
          `<label><input type="checkbox" name="account" value="${escape(id)}" checked
 ${index === 0 ? 'id="account"' : ''}>
${escape(name)} ending in ${escape(mask)}</label>`,
      );
      return [
        'Choose accounts',
        `${summary(page.error, 'account')}<form method="post"><fieldset>
<legend>Accounts at ${escape(page.bank)}</legend>
${boxes.join('')}</fieldset><button name="action" value="connect">Connect</button>${CANCEL}</form>`,
      ];
    }
    case 'over':
      return [
        'This page is done',
        `<p>${escape(page.message)}</p>
${page.returnUrl ? `<p><a href="${escape(page.returnUrl)}">Go back</a></p>` : ''}`,
      ];
  }
}
