import { describeKept, describeKeptByReset, describeOptional } from './account-events.ts';

/** The values of a mail. */
export type AccountMailText =
  | { kind: 'reset_password' | 'verify_email' | 'change_email'; url: string }
  | { kind: 'password_changed' | 'password_reset' | 'passkey_added' | 'passkey_removed'; url: string }
  | { kind: 'second_factor_on' | 'second_factor_off' | 'second_factor_reset'; url: string }
  | { kind: 'email_change_requested'; email: string; url: string }
  | { kind: 'email_changed'; email: string };

/** Returns the subject and the plain text of a mail. */
export function writeAccountMail(mail: AccountMailText): { subject: string; text: string } {
  switch (mail.kind) {
    case 'reset_password':
      return {
        subject: 'Reset your Tally password',
        text: joinParagraphs(
          'Somebody asked to reset the password of your Tally account. Open this link to choose a new one:',
          mail.url,
          'The link works once, within an hour. A new password ends all sessions and open links, removes your passkeys, ' +
            'and revokes your API keys and assistant tokens.',
          describeKeptByReset(),
          'If this was not you, ignore this message. Your password stays as it is.',
        ),
      };
    case 'verify_email':
      return {
        subject: 'Confirm your email for Tally',
        text: joinParagraphs(
          'Open this link to confirm that this is the email of your Tally account:',
          mail.url,
          'The link works once, within seven days, in a browser that is signed in to the account or with its password.',
          'If you have no Tally account, ignore this message.',
        ),
      };
    case 'change_email':
      return {
        subject: 'Confirm your new email for Tally',
        text: joinParagraphs(
          'Open this link to use this email for your Tally account from now on:',
          mail.url,
          'The link works once, within a day, in a browser that is signed in to the account or with its password. Until ' +
            'then your account keeps its current email.',
          'If you did not ask for this, ignore this message.',
        ),
      };
    case 'email_change_requested':
      return {
        subject: 'A new email was asked for at Tally',
        text: joinParagraphs(
          `Somebody asked to change the email of your Tally account to ${mail.email}.`,
          'If this was not you, stop the change with this link, and then reset your password:',
          mail.url,
          'The link works once, within two days.',
        ),
      };
    case 'password_changed':
      return {
        subject: 'Your Tally password was changed',
        text: joinParagraphs(
          'The password of your Tally account was changed. Sessions in other browsers and open links have ended.',
          describeOptional(),
          describeKept('password_change'),
          'If this was not you, reset it now:',
          mail.url,
        ),
      };
    case 'password_reset':
      return {
        subject: 'Your Tally password was changed',
        text: joinParagraphs(
          'The password of your Tally account was set with a link. All other sessions, open links, passkeys, API keys ' +
            'and assistant tokens have ended.',
          describeKeptByReset(),
          'If this was not you, reset it now:',
          mail.url,
        ),
      };
    case 'passkey_added':
      return {
        subject: 'A passkey was added to your Tally account',
        text: joinParagraphs(
          'You can now sign in to Tally with a new passkey.',
          'If you did not add it, remove it under Settings and reset your password now:',
          mail.url,
        ),
      };
    case 'passkey_removed':
      return {
        subject: 'A passkey was removed from your Tally account',
        text: joinParagraphs(
          'A passkey of your Tally account was removed and no longer works.',
          'If this was not you, reset your password now:',
          mail.url,
        ),
      };
    case 'second_factor_on':
      return {
        subject: 'Two-step verification is on for Tally',
        text: joinParagraphs(
          'An authenticator app was set up for your Tally account. You need its code to sign in with your password. ' +
            'Sessions in other browsers and links for a new password or email have ended.',
          describeKept('app_on'),
          'If this was not you, tell the operator of this site at once, and set a new password:',
          mail.url,
        ),
      };
    case 'second_factor_off':
      return {
        subject: 'Two-step verification is off for Tally',
        text: joinParagraphs(
          'The authenticator app of your Tally account and its recovery codes were removed. You sign in with your ' +
            'password alone.',
          describeKept('app_off'),
          'If this was not you, set a new password now:',
          mail.url,
        ),
      };
    case 'second_factor_reset':
      return {
        subject: 'Two-step verification was reset for Tally',
        text: joinParagraphs(
          'The operator of this site removed the authenticator app, the recovery codes and the passkeys of your Tally ' +
            'account. All sessions have ended. You sign in with your password alone.',
          describeKept('app_reset'),
          'If you did not ask for this, tell the operator at once, and set a new password:',
          mail.url,
        ),
      };
    case 'email_changed':
      return {
        subject: 'Your Tally email was changed',
        text: joinParagraphs(
          `The email of your Tally account was changed to ${mail.email}. You sign in with the new one. Links that were ` +
            'sent before have ended.',
          describeKept('address_changed'),
          'If this was not you, tell the operator of this site at once.',
        ),
      };
  }
}

const joinParagraphs = (...paragraphs: string[]): string => `${paragraphs.join('\n\n')}\n`;
