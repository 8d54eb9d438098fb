import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import {
  ACCOUNT_EVENTS,
  type AccountEventName,
  type Credential,
  CREDENTIALS,
  describeEnded,
  describeKept,
  describeKeptByReset,
  describeOptional,
  getEffect,
} from '../src/embedded/identity/account-events.ts';
import { type AccountMailText, writeAccountMail } from '../src/embedded/identity/account-mail-texts.ts';

const LINK = 'https://tally.test/x';
const RESET_PAGE = 'src/ui/shell/sign-in/reset-password-page.tsx';
const COMMANDS = 'src/platform/identity/members-cli.ts';

interface Texts {
  mails?: readonly AccountMailText[];
  /** Files with a page or a command. */
  files?: readonly string[];
  /** What each text contains. */
  sentence: string;
  /** What each mail contains too. */
  mailSentence?: string;
}

const RESET: Texts = {
  mails: [
    { kind: 'reset_password', url: LINK },
    { kind: 'password_reset', url: LINK },
  ],
  files: [RESET_PAGE],
  sentence: describeKeptByReset(),
};

/** Mails and files that tell of an event, or why none does. */
const TEXTS: Readonly<Record<AccountEventName, readonly Texts[] | string>> = {
  reset_by_mail: [RESET],
  reset_by_mail_unproved: [RESET],
  reset_by_operator: [RESET, { files: [COMMANDS], sentence: describeKept('reset_by_operator') }],
  password_change: [
    {
      mails: [{ kind: 'password_changed', url: LINK }],
      sentence: describeKept('password_change'),
      mailSentence: describeOptional(),
    },
    { files: ['src/features/settings/ui/password-section.tsx'], sentence: describeEnded('password_change') },
  ],
  address_confirmed: 'it ends the links that confirm the address, and nothing else',
  address_changed: [
    {
      mails: [{ kind: 'email_changed', email: 'ada@example.com' }],
      files: ['src/features/settings/ui/change-email-dialog.tsx'],
      sentence: describeKept('address_changed'),
    },
  ],
  app_on: [
    {
      mails: [{ kind: 'second_factor_on', url: LINK }],
      sentence: describeKept('app_on'),
    },
    { files: ['src/features/settings/ui/set-up-app-dialog.tsx'], sentence: describeEnded('app_on') },
  ],
  app_off: [
    {
      mails: [{ kind: 'second_factor_off', url: LINK }],
      sentence: describeKept('app_off'),
    },
    { files: ['src/features/settings/ui/remove-app-dialog.tsx'], sentence: 'your recovery codes stop working' },
  ],
  app_reset: [
    {
      mails: [{ kind: 'second_factor_reset', url: LINK }],
      files: [COMMANDS],
      sentence: describeKept('app_reset'),
    },
  ],
  deletion: 'nothing stays',
};

const events = Object.keys(ACCOUNT_EVENTS) as AccountEventName[];
const credentials = Object.keys(CREDENTIALS) as Credential[];

/** Returns the text of a file on one line. */
const readText = (file: string): string =>
  readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').replaceAll(/\s+/g, ' ');

for (const event of events)
  test(`says what stays or ends in mails and on pages when the event is ${event}`, () => {
    const texts = TEXTS[event];
    if (typeof texts === 'string') return;
    for (const { mails = [], files = [], sentence, mailSentence = '' } of texts) {
      for (const mail of mails) {
        const { text } = writeAccountMail(mail);
        assert.ok(text.includes(sentence), `the mail ${mail.kind} says "${sentence}"`);
        assert.ok(text.includes(mailSentence), `the mail ${mail.kind} says "${mailSentence}"`);
      }
      for (const file of files) assert.ok(readText(file).includes(sentence), `${file} says "${sentence}"`);
    }
  });

test('says what stays before and after a reset', () => {
  assert.equal(readText(RESET_PAGE).split(describeKeptByReset()).length - 1, 2, 'before and after the reset');
});

test('needs no text when an address is confirmed, which ends only its links, or the account deleted', () => {
  const ended = credentials.filter((credential) => getEffect('address_confirmed', credential) !== 'stays');
  assert.deepEqual(ended, ['confirmation_links']);
  assert.equal(describeKept('deletion'), '');
});

test('ends the app, its codes and what waits for them when the app is turned off, as its dialog says', () => {
  const ended = credentials.filter((credential) => getEffect('app_off', credential) !== 'stays');
  assert.deepEqual(ended, ['app', 'recovery_codes', 'pending_sign_ins']);
});

test('names each credential that an event ends and that the member does not choose', () => {
  assert.equal(
    describeEnded('password_change'),
    'This ends your other sessions, links for a new password, links that confirm the email and pending change of email.',
  );
  assert.equal(
    describeEnded('app_on'),
    'This ends your other sessions, links for a new password and pending change of email.',
  );
});

test('names each credential that an event keeps', () => {
  assert.equal(
    describeKept('app_on'),
    'What stays: password, API keys, assistant tokens, passkeys, links that confirm the email, unfinished account ' +
      'connections and unfinished checkouts.',
  );
  assert.equal(describeOptional(), 'What stays unless it was ended too: API keys, assistant tokens and passkeys.');
  assert.equal(
    describeKeptByReset(),
    'What stays unless the link confirms this email for the first time: authenticator app and recovery codes. ' +
      'What stays: unfinished account connections and unfinished checkouts.',
  );
});
