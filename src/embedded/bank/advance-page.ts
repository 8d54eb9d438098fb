import { accountsOf, BANKS, SINGLE_ACCESS_BANK } from './bank-data.ts';
import type { BankContext } from './bank-context.ts';
import { updateVisit } from '../shared/visit-queries.ts';
import { endOlderItems, type LinkSession, SESSIONS, setItemAccounts, setItemState } from './queries.ts';
import { loginRequiredOf, queueWebhook } from './send-webhook.ts';

type Data = LinkSession['data'];

const USERS: ReadonlySet<string> = new Set([
  ...['user_good', 'user_slow', 'user_late', 'user_lost', 'user_twice', 'user_expiring', 'user_empty'],
]);

/** Seconds after which the webhook of `user_late` comes. */
const LATE_SECONDS = 60;

/**
 * What a sent form makes of the page, stored where nobody else was quicker (`undefined` then). `seed` names the
 * accounts of a new sign-in.
 */
export async function advancePage(
  context: BankContext,
  token: string,
  session: LinkSession,
  form: URLSearchParams,
  seed: string,
): Promise<LinkSession | undefined> {
  const { sql, now } = context;
  const { error: _shown, ...data } = session.data;
  // A person who leaves does so with the error that was shown last.
  const isLeft = form.get('action') === 'cancel';
  const next: Next = isLeft ? { state: 'exited', data: session.data } : judge(data, form, seed);
  const isOver = next.state !== 'open';
  const to = { ...session, ...next, data: { ...next.data, ...(isOver && { finishedAt: now().toISOString() }) } };
  const stored = await sql.transaction(async (transaction) => {
    if (!(await updateVisit(transaction, SESSIONS, token, session, to))) return false;
    if (!isOver) return true;
    const { itemId, webhook, user, bank, person } = to.data;
    const isSuccess = next.state === 'finished';
    const isNew = isSuccess && itemId === null;
    if (isSuccess && itemId !== null) {
      await setItemState(transaction, itemId, 'good');
      if (to.data.shared) await setItemAccounts(transaction, itemId, to.data.accounts ?? []);
      const event = { webhook_type: 'ITEM', webhook_code: 'LOGIN_REPAIRED', item_id: itemId };
      await queueWebhook(context, transaction, webhook, event);
    }
    if (isNew && bank === SINGLE_ACCESS_BANK)
      for (const { id, data: older } of await endOlderItems(transaction, person, bank))
        await queueWebhook(context, transaction, older.webhook, loginRequiredOf(id));
    const event = {
      ...{ webhook_type: 'LINK', webhook_code: 'SESSION_FINISHED', status: isSuccess ? 'SUCCESS' : 'EXITED' },
      ...{ link_session_id: token.slice(-36), link_token: token },
      public_tokens: isNew ? [context.publicTokenOf(token)] : [],
    };
    const times = user === 'user_lost' ? 0 : user === 'user_twice' ? 2 : 1;
    for (let time = 0; time < times; time += 1)
      await queueWebhook(context, transaction, webhook, event, user === 'user_late' ? LATE_SECONDS : 0);
    return true;
  });
  if (!stored) return undefined;
  context.wake();
  return to;
}

type Next = Pick<LinkSession, 'state' | 'data'>;

function judge(data: Data, form: URLSearchParams, seed: string): Next {
  const refuse = (error: string): Next => ({ state: 'open', data: { ...data, error } });
  const action = form.get('action');
  if (data.step === 'accounts') return action === 'connect' ? choose(data, form, refuse) : refuse('NONE_CHOSEN');
  if (data.step === 'code') return form.get('code')?.trim() === '1234' ? signedIn(data) : refuse('INVALID_MFA');

  const [user = '', password = ''] = [form.get('user')?.trim(), form.get('password') ?? undefined];
  const [, code] = /^error_([A-Z_]{1,60})$/.exec(password) ?? [];
  if (code !== undefined && USERS.has(user)) return refuse(code);
  if (!USERS.has(user) || (password !== 'pass_good' && password !== 'mfa_device')) return refuse('INVALID_CREDENTIALS');
  const requestedBank = data.bank ?? form.get('bank') ?? '';
  const bank = requestedBank in BANKS ? requestedBank : Object.keys(BANKS)[0]!;
  // An account that is already shared keeps its id.
  const accounts = accountsOf(user, seed).map(
    (account) => data.shared?.find(({ mask }) => mask === account.mask) ?? account,
  );
  const authenticated: Data = { ...data, user, bank, accounts };
  return password === 'mfa_device'
    ? { state: 'open', data: { ...authenticated, step: 'code' } }
    : signedIn(authenticated);
}

/**
 * The step after a successful sign-in. A new item, or one whose shared accounts may change, continues with the choice of
 * accounts. Any other visit is finished.
 */
const signedIn = (data: Data): Next =>
  (data.itemId === null || data.shared) && data.accounts!.length > 0
    ? { state: 'open', data: { ...data, step: 'accounts' } }
    : { state: 'finished', data };

function choose(data: Data, form: URLSearchParams, refuse: (error: string) => Next): Next {
  const chosen = new Set(form.getAll('account'));
  const accounts = (data.accounts ?? []).filter(({ account_id: id }) => chosen.has(id));
  return accounts.length === 0 ? refuse('NONE_CHOSEN') : { state: 'finished', data: { ...data, accounts } };
}
