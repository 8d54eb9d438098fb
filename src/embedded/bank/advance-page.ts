import { createAccounts, BANKS, SINGLE_ACCESS_BANK } from './bank-data.ts';
import type { BankContext } from './bank-context.ts';
import { updateHostedPageSession } from '../shared/hosted-page-queries.ts';
import { checkSignIn, getDelivery, hasRightCode } from '../shared/test-sign-in.ts';
import { endOlderItems, type LinkSession, SESSIONS, setItemAccounts, setItemState } from './queries.ts';
import { toLoginRequiredEvent, enqueueWebhook } from './send-webhook.ts';

type SessionData = LinkSession['data'];

/**
 * Applies a submitted form to the page and stores the new state. Returns `undefined` if a concurrent request changed
 * the page first. `seed` determines the account ids of a new sign-in.
 */
export async function advancePage(
  context: BankContext,
  token: string,
  session: LinkSession,
  form: URLSearchParams,
  seed: string,
): Promise<LinkSession | undefined> {
  const { sql, now } = context;
  const { error: _error, ...data } = session.data;
  // A canceled page ends with the error that it showed last.
  const isCancelled = form.get('action') === 'cancel';
  const next: Transition = isCancelled ? { state: 'exited', data: session.data } : evaluateForm(data, form, seed);
  const isEnded = next.state !== 'open';
  const updated = { ...session, ...next, data: { ...next.data, ...(isEnded && { finishedAt: now().toISOString() }) } };
  const isStored = await sql.transaction(async (transaction) => {
    if (!(await updateHostedPageSession(transaction, SESSIONS, token, session, updated))) return false;
    if (!isEnded) return true;
    const { itemId, webhook, user, bank, clientUserId } = updated.data;
    const isSuccess = next.state === 'finished';
    const isNewItem = isSuccess && itemId === null;
    if (isSuccess && itemId !== null) {
      await setItemState(transaction, itemId, 'good');
      if (updated.data.shared) await setItemAccounts(transaction, itemId, updated.data.accounts ?? []);
      const event = { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED', item_id: itemId };
      await enqueueWebhook(context, transaction, webhook, event);
    }
    if (isNewItem && bank === SINGLE_ACCESS_BANK)
      for (const { id, data: older } of await endOlderItems(transaction, clientUserId, bank))
        await enqueueWebhook(context, transaction, older.webhook, toLoginRequiredEvent(id));
    const event = {
      webhook_type: 'LINK',
      webhook_code: 'SESSION_FINISHED',
      status: isSuccess ? 'SUCCESS' : 'EXITED',
      link_session_id: token.slice(-36),
      link_token: token,
      public_tokens: isNewItem ? [context.getPublicToken(token)] : [],
    };
    const { times, afterSeconds } = getDelivery(user);
    for (let time = 0; time < times; time += 1)
      await enqueueWebhook(context, transaction, webhook, event, afterSeconds);
    return true;
  });
  if (!isStored) return undefined;
  context.wake();
  return updated;
}

type Transition = Pick<LinkSession, 'state' | 'data'>;

function evaluateForm(data: SessionData, form: URLSearchParams, seed: string): Transition {
  const showError = (error: string): Transition => ({ state: 'open', data: { ...data, error } });
  const action = form.get('action');
  if (data.step === 'accounts')
    return action === 'connect' ? chooseAccounts(data, form, showError) : showError('NONE_CHOSEN');
  if (data.step === 'code') return hasRightCode(form) ? advanceAfterSignIn(data) : showError('INVALID_MFA');
  const signIn = checkSignIn(form);
  if ('error' in signIn) return showError(signIn.error);
  const { user, asksForCode } = signIn;
  const requestedBank = data.bank ?? form.get('bank') ?? '';
  const bank = requestedBank in BANKS ? requestedBank : Object.keys(BANKS)[0]!;
  // An account that is already shared keeps its id.
  const accounts = createAccounts(user, seed).map(
    (account) => data.shared?.find(({ mask }) => mask === account.mask) ?? account,
  );
  const authenticated: SessionData = { ...data, user, bank, accounts };
  return asksForCode ? { state: 'open', data: { ...authenticated, step: 'code' } } : advanceAfterSignIn(authenticated);
}

/**
 * Returns the step after a successful sign-in. A new item, or one whose shared accounts may change, continues with the
 * choice of accounts. Any other visit is finished.
 */
const advanceAfterSignIn = (data: SessionData): Transition =>
  (data.itemId === null || data.shared) && data.accounts!.length > 0
    ? { state: 'open', data: { ...data, step: 'accounts' } }
    : { state: 'finished', data };

function chooseAccounts(
  data: SessionData,
  form: URLSearchParams,
  showError: (error: string) => Transition,
): Transition {
  const chosen = new Set(form.getAll('account'));
  const accounts = (data.accounts ?? []).filter(({ account_id: id }) => chosen.has(id));
  return accounts.length === 0 ? showError('NONE_CHOSEN') : { state: 'finished', data: { ...data, accounts } };
}
