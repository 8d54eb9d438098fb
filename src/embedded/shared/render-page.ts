import { computeInlineHashes } from '../../platform/http/security-headers.ts';

/** A page of an embedded provider: one form without script. */
export interface EmbeddedPage {
  title: string;
  /** HTML in which every external text is escaped. */
  body: string;
  isError?: boolean;
}

/** Display name and kind of an embedded provider, such as `Sandbox Bank` and `bank`. */
export interface EmbeddedName {
  name: string;
  kind: string;
  /** Text about what not to enter (default: no real password). */
  advice?: string;
}

/** Style of all pages, in both themes and from 320 pixels on. Its colors are those of the web app. */
const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif;
  --ink: light-dark(#17212a, #e8ecec); --soft: light-dark(#44515d, #b5c0c6); --page: light-dark(#f6f5f1, #0e1316);
  --card: light-dark(#fffefb, #161c20); --line: light-dark(#dfdcd2, #283138); --border: light-dark(#878b8b, #6d7a82);
  --accent: light-dark(#0b5876, #7cc4de); --on-accent: light-dark(#fff, #06222d); --strong: light-dark(#083f56, #a5d8ea);
  --loss: light-dark(#a72d1c, #f2917f); --warn: light-dark(#7a5200, #e4b965); --warn-soft: light-dark(#faf0d9, #322814) }
* { box-sizing: border-box }
body { background: var(--page); color: var(--ink); margin: 0; overflow-wrap: break-word }
.test { background: var(--warn-soft); border-bottom: 2px dashed var(--warn); color: var(--warn); margin: 0;
  padding: .75rem 1rem; text-align: center }
main { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; margin: clamp(1rem, 6vh, 4rem) auto 2rem;
  max-width: 28rem; padding: clamp(1.25rem, 5vw, 2rem); width: calc(100% - 2rem) }
.provider { color: var(--soft); font-size: .875rem; margin: 0 }
h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 1rem }
h2 { font-size: 1rem; margin: 0 }
p { margin: .75rem 0 }
.error { border-left: .3rem solid var(--loss); padding: .25rem .75rem }
.error p { margin: .25rem 0 0 }
a { color: var(--accent) }
.error a { color: var(--loss) }
strong { font-weight: 600 }
label, legend { display: block; font-weight: 600; margin: 1rem 0 .375rem; padding: 0 }
fieldset { border: 0; margin: 0; min-width: 0; padding: 0 }
fieldset label { align-items: center; border: 1px solid var(--line); border-radius: .4375rem; cursor: pointer; display: flex;
  font-weight: 400; gap: .625rem; margin: .5rem 0 0; min-height: 2.75rem; padding: .375rem .75rem }
fieldset label:has(:checked) { border-color: var(--accent) }
input { accent-color: var(--accent) }
input:not([type=checkbox], [type=radio]), select { background: var(--card); border: 1px solid var(--border);
  border-radius: .4375rem; color: inherit; font: inherit; min-height: 2.75rem; padding: .5rem .75rem; width: 100% }
#hint { color: var(--soft); font-size: .875rem; margin: .5rem 0 0 }
button { background: var(--accent); border: 1px solid var(--accent); border-radius: .4375rem; color: var(--on-accent);
  cursor: pointer; display: block; font: inherit; font-weight: 600; margin: 1.5rem 0 0; min-height: 2.75rem;
  padding: .5rem 1rem; width: 100% }
button:hover { background: var(--strong) }
.secondary { background: transparent; border-color: var(--border); color: var(--ink); margin-top: .75rem }
.secondary:hover { background: var(--page) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`;

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

export const CANCEL = '<button name="action" value="cancel" class="secondary" formnovalidate>Cancel</button>';

/** Renders the error summary. It has the focus, so that screen readers read it first. */
export const renderErrorSummary = (error: string | undefined, field: string): string =>
  error === undefined
    ? ''
    : `<div class="error" role="alert" tabindex="-1" autofocus><h2>There is a problem</h2>
<p><a href="#${field}">${escapeHtml(error)}</a></p></div>`;

/** Renders the fields of a sign-in. `hint` is HTML. */
export const renderSignInFields = (user: string, hint: string): string => `<label for="user">User name</label>
<input id="user" name="user" required maxlength="60" value="${escapeHtml(user)}" aria-describedby="hint">
<label for="password">Password</label><input id="password" name="password" type="password" required maxlength="60">
<p id="hint">${hint}</p>`;

/** Renders a list of choices, HTML texts by id. The choice that was sent last is selected. */
export function renderChoiceField(
  name: string,
  label: string,
  texts: Readonly<Record<string, string>>,
  form: URLSearchParams | undefined,
): string {
  const options = Object.entries(texts).map(
    ([id, text]) => `<option value="${id}"${id === form?.get(name) ? ' selected' : ''}>${text}</option>`,
  );
  return `<label for="${name}">${label}</label><select id="${name}" name="${name}">${options.join('')}</select>`;
}

export const renderCodePage = (error: string | undefined): EmbeddedPage => ({
  title: 'Enter the code',
  isError: error !== undefined,
  body: `${renderErrorSummary(error, 'code')}<form method="post" autocomplete="off"><label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" required maxlength="10" aria-describedby="hint">
<p id="hint">In this sandbox it is 1234.</p><button name="action" value="code">Continue</button>${CANCEL}</form>`,
});

export const renderDonePage = (message: string, returnUrl?: string): EmbeddedPage => ({
  title: 'This page is complete',
  body: `<p>${escapeHtml(message)}</p>
${returnUrl ? `<p><a href="${escapeHtml(returnUrl)}">Go back</a></p>` : ''}`,
});

/** Returns the document and headers that allow its style and no script. */
export function renderPage(
  { title, body, isError = false }: EmbeddedPage,
  { name, kind, advice = 'Do not enter a real password.' }: EmbeddedName,
): { document: string; headers: Record<string, string> } {
  const document = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${isError ? 'Error: ' : ''}${title} – ${name}</title><style>${STYLE}</style></head>
<body><header><p class="test"><strong>Sandbox.</strong> This is a test, not a real ${kind}. ${advice}</p></header>
<main><p class="provider">${name}</p><h1>${title}</h1>${body}</main></body></html>`;
  const policy = `default-src 'none';style-src ${computeInlineHashes(document, 'style').join(' ')};form-action 'self'`;
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
