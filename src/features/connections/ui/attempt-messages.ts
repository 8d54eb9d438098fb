import type { FinishedConnection } from '../contract.ts';

/** Text for the result of an attempt, with the next action. */
export interface AttemptMessage {
  title: string;
  text: string;
  next: 'dashboard' | 'accounts' | 'retry' | 'repair' | 'wait';
}

/** Texts by code of the aggregator or the service. */
const MESSAGES_BY_CODE: Readonly<Record<string, readonly [title: string, text: string]>> = {
  EXITED: ['You did not finish connecting', 'You can start again at any time.'],
  EXPIRED: ['The link has expired', 'It is valid for a short time only. Start again to get a new one.'],
  INVALID_CREDENTIALS: [
    'The sign-in was rejected',
    'The user name or password was not accepted. Check that they work on the institution’s own page, then try again.',
  ],
  INVALID_MFA: ['The code was rejected', 'Request a new code and try again.'],
  ITEM_LOCKED: [
    'The account is locked',
    'The institution has locked your sign-in. Unlock it on its own page, then try again.',
  ],
  INSTITUTION_DOWN: ['The institution cannot be reached', 'It is not responding. Try again in an hour.'],
  NO_ACCOUNTS: ['No accounts to connect', 'The sign-in worked, but it has no accounts.'],
  GONE: ['The connection no longer exists', 'It was removed. You can connect it again.'],
};

/** Describes the result of an attempt. An unknown code is quoted, but no other text of its sender. */
export function describeAttempt(finished: FinishedConnection, hasStoppedPolling: boolean): AttemptMessage {
  const { status, code = '', connection } = finished;
  const institution = connection?.institution ?? 'The institution';
  switch (status) {
    case 'connected':
      if (code === 'ACCOUNTS_ADDED')
        return {
          title: `Accounts added at ${institution}`,
          text: 'Your connection now has these accounts. Its other accounts are unchanged.',
          next: 'dashboard',
        };
      if (code === 'ACCOUNTS_LEFT_OUT')
        return {
          title: `Accounts added at ${institution}`,
          text:
            `${institution} allows one sign-in and shares only the accounts that you selected now. The others keep ` +
            'their last figures. Choose “Add accounts” to add them again.',
          next: 'accounts',
        };
      return {
        title: `${institution} is connected`,
        text: 'These accounts are now on Home and update daily.',
        next: 'dashboard',
      };
    case 'duplicate': {
      const title = `${institution} is already connected`;
      return code === 'REPAIR_NEEDED'
        ? { title, text: 'That connection needs you to sign in again. Nothing was connected twice.', next: 'repair' }
        : {
            title,
            text:
              'These accounts are already on Home. Nothing was connected twice. To connect others there, ' +
              'choose “Add accounts”.',
            next: 'accounts',
          };
    }
    case 'pending':
      return {
        title: hasStoppedPolling ? 'This takes longer than usual' : 'Waiting for your institution',
        text: 'You can leave this page. The accounts will appear on Home.',
        next: 'wait',
      };
    case 'abandoned':
    case 'failed': {
      const [title, text] = (Object.hasOwn(MESSAGES_BY_CODE, code) && MESSAGES_BY_CODE[code]) || [
        'Connection failed',
        /^[A-Z0-9_]{1,60}$/.test(code) ? `The institution returned ${code}. Try again later.` : 'Try again later.',
      ];
      const suffix = connection ? `${institution} is unchanged.` : 'Nothing was connected or stored.';
      return { title, text: `${text} ${suffix}`, next: 'retry' };
    }
  }
}

/** Maximum number of automatic polls of an attempt. */
export const MAX_POLLS = 15;

/** Returns the delay in ms before the next poll, or false after the last automatic one. */
export function getPollDelay(pollCount: number): number | false {
  return pollCount < MAX_POLLS ? Math.min(1_000 + pollCount * 1_000, 10_000) : false;
}
