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

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 26rem; padding: 1.5rem 1rem }
.test { border: 2px dashed; border-radius: .5rem; padding: .5rem .75rem }
.error { border-left: .3rem solid #c22; padding: .25rem .75rem }
a { color: inherit }
label, legend { display: block; font-weight: 600; margin-top: 1rem }
fieldset label { font-weight: 400; margin-top: .5rem }
fieldset { border: 0; margin: 0; padding: 0 }
input:not([type=checkbox], [type=radio]), select { box-sizing: border-box; font: inherit; padding: .5rem; width: 100% }
button { font: inherit; margin: 1.25rem .5rem 0 0; min-height: 2.75rem; padding: .5rem 1rem }
`;

export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`);

export const CANCEL = '<button name="action" value="cancel" formnovalidate>Cancel</button>';

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
<body><main><p class="test"><strong>Sandbox.</strong> This is a test, not a real ${kind}. ${advice}</p>
<h1>${title}</h1>${body}</main></body></html>`;
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
