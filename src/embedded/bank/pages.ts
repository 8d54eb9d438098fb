import {
  CANCEL,
  renderChoiceField,
  renderCodePage,
  renderErrorSummary,
  escapeHtml,
  type EmbeddedPage,
  renderSignInFields,
} from '../shared/render-page.ts';
import { BANKS } from './bank-data.ts';
import type { LinkSession } from './queries.ts';

const MESSAGES: Readonly<Record<string, string>> = {
  INVALID_CREDENTIALS: 'The user name or the password is wrong.',
  ITEM_LOCKED: 'The account is locked; go to the bank to unlock it.',
  INSTITUTION_DOWN: 'The bank cannot be reached right now.',
  NO_ACCOUNTS: 'There are no accounts to connect.',
  INVALID_MFA: 'The code is wrong.',
  NONE_CHOSEN: 'Choose at least one account.',
};

/** Returns the content of a session's page. `form` is the last submitted form. */
export function showLink({ data }: LinkSession, form?: URLSearchParams): EmbeddedPage {
  const error = data.error === undefined ? undefined : (MESSAGES[data.error] ?? `The bank returned ${data.error}.`);
  if (data.step === 'code') return renderCodePage(error);
  return data.step === 'accounts' ? accountsPage(error, data) : signInPage(error, form, data.itemId !== null);
}

function signInPage(error: string | undefined, form: URLSearchParams | undefined, isRepair: boolean): EmbeddedPage {
  const choice = renderChoiceField('bank', 'Bank', BANKS, form);
  const fields = renderSignInFields(form?.get('user') ?? '', 'Try <code>user_good</code> with <code>pass_good</code>.');
  return {
    title: isRepair ? 'Sign in to your bank again' : 'Sign in to your bank',
    isError: error !== undefined,
    body: `${renderErrorSummary(error, 'user')}<form method="post" autocomplete="off">${isRepair ? '' : choice}
${fields}<button name="action" value="sign-in">Sign in</button>${CANCEL}</form>`,
  };
}

function accountsPage(
  error: string | undefined,
  { bank = '', accounts = [], shared }: LinkSession['data'],
): EmbeddedPage {
  const isShared = (id: string): boolean => !shared || shared.some(({ account_id: sharedId }) => sharedId === id);
  const boxes = accounts.map(
    ({ account_id: id, name, mask }, index) =>
      `<label><input type="checkbox" name="account" value="${escapeHtml(id)}"${isShared(id) ? ' checked' : ''}
 ${index === 0 ? 'id="account"' : ''}>
${escapeHtml(name)} ending in ${escapeHtml(mask)}</label>`,
  );
  return {
    title: 'Choose accounts',
    isError: error !== undefined,
    body: `${renderErrorSummary(error, 'account')}<form method="post"><fieldset>
<legend>Accounts at ${escapeHtml(BANKS[bank] ?? '')}</legend>
${boxes.join('')}</fieldset><button name="action" value="connect">Connect</button>${CANCEL}</form>`,
  };
}
