import {
  CANCEL,
  renderChoiceField,
  renderCodePage,
  renderErrorSummary,
  type EmbeddedPage,
  renderSignInFields,
} from '../shared/render-page.ts';
import { BROKERAGES, SCENARIOS } from './brokerage-data.ts';
import type { Portal } from './queries.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  INVALID_CREDENTIALS: 'The user name or the password is wrong.',
  ITEM_LOCKED: 'The account is locked; go to the brokerage to unlock it.',
  INSTITUTION_DOWN: 'The brokerage cannot be reached right now.',
  NO_ACCOUNTS: 'There are no accounts to connect.',
  INVALID_MFA: 'The code is wrong.',
};

/** Returns the content of the portal. `form` is the last submitted form. */
export function showPortal({ data }: Portal, form?: URLSearchParams): EmbeddedPage {
  const error =
    data.error === undefined ? undefined : (MESSAGES[data.error] ?? `The brokerage returned ${data.error}.`);
  if (data.step === 'code') return renderCodePage(error);
  const scenarios = Object.fromEntries(Object.entries(SCENARIOS).map(([id, { label }]) => [id, label]));
  const isNew = data.reconnect === null;
  const choices = `${renderChoiceField('brokerage', 'Brokerage', BROKERAGES, form)}
${renderChoiceField('scenario', 'Scenario', scenarios, form)}
`;
  const fields = renderSignInFields(form?.get('user') ?? '', 'Try <code>user_good</code> with <code>pass_good</code>.');
  return {
    title: isNew ? 'Sign in to your brokerage' : 'Sign in to your brokerage again',
    isError: error !== undefined,
    body: `${renderErrorSummary(error, 'user')}<form method="post" autocomplete="off">${isNew ? choices : ''}
${fields}<button name="action" value="sign-in">Connect</button>${CANCEL}</form>`,
  };
}

/** Returns the URL of the redirect to the service with its parameters. An expired page counts as abandoned. */
export function getReturnUrl({ data: { returnUrl, result } }: Portal): string {
  const url = new URL(returnUrl);
  for (const [name, value] of Object.entries(result ?? { status: 'ABANDONED' })) url.searchParams.set(name, value);
  return url.href;
}
