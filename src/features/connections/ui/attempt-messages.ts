import type { FinishedConnection } from '../contract.ts';

/** Text for the result of an attempt, with the next action. */
export interface AttemptMessage {
  title: string;
  text: string;
  next: 'dashboard' | 'accounts' | 'retry' | 'repair' | 'wait';
}

/** Texts by code of the aggregator or the service. */
const MESSAGES_BY_CODE: Readonly<Record<string, readonly [title: string, text: string]>> = {
  EXITED: ['You left before it was done', 'Begin again whenever you like.'],
  EXPIRED: ['The link has expired', 'It can be used for a short time only. Begin again to get a new one.'],
  INVALID_CREDENTIALS: [
    'The sign-in was refused',
    'User name or password were not accepted. See whether they work on the institution’s own page, then try again.',
  ],
  INVALID_MFA: ['The code was refused', 'Ask for a new code and try again.'],
  ITEM_LOCKED: [
    'The account is locked',
    'The institution has locked your sign-in. Unlock it on its own page, then try again.',
  ],
  INSTITUTION_DOWN: ['The institution cannot be reached', 'It does not answer now. Try again in an hour.'],
  NO_ACCOUNTS: ['There is no account to connect', 'The sign-in worked, but no account was found behind it.'],
  GONE: ['The connection is no longer there', 'It was removed meanwhile. You can connect it anew.'],
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
          text: 'The connection that you had now has these accounts. Those that were there stay as they were.',
          next: 'dashboard',
        };
      if (code === 'ACCOUNTS_LEFT_OUT')
        return {
          title: `Accounts added at ${institution}`,
          text:
            `${institution} allows one sign-in, and shares only the accounts that you chose now. Those that you left ` +
            'out keep their last figures: choose “Add accounts” to bring them back.',
          next: 'accounts',
        };
      return {
        title: `${institution} is connected`,
        text: 'These accounts now stand on your dashboard. They are synchronised each day.',
        next: 'dashboard',
      };
    case 'duplicate': {
      const title = `${institution} is connected already`;
      return code === 'REPAIR_NEEDED'
        ? { title, text: 'That connection needs a new sign-in. Nothing was connected twice.', next: 'repair' }
        : {
            title,
            text:
              'These accounts stand on your dashboard as before. Nothing was connected twice. To connect others ' +
              'there, choose “Add accounts”.',
            next: 'accounts',
          };
    }
    case 'pending':
      return {
        title: hasStoppedPolling ? 'This takes longer than usual' : 'Waiting for your institution',
        text: 'You may leave this page: what you have connected appears on your dashboard by itself.',
        next: 'wait',
      };
    case 'abandoned':
    case 'failed': {
      const [title, text] = (Object.hasOwn(MESSAGES_BY_CODE, code) && MESSAGES_BY_CODE[code]) || [
        'It did not connect',
        /^[A-Z0-9_]{1,60}$/.test(code)
          ? `The institution answered ${code}. Try again, or in a while.`
          : 'Try again, or in a while.',
      ];
      const suffix = connection ? `${institution} stays as it was.` : 'Nothing was connected, and nothing is kept.';
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
