import type { SiteDocumentName } from './contract.ts';

/** Services outside this deployment that receive data of members, as its settings name them. */
export interface DataRecipients {
  /** A hosted identity provider keeps the accounts. */
  identity: boolean;
  banks: boolean;
  brokerages: boolean;
  payments: boolean;
  /** A model answers the questions of members. */
  model: boolean;
  /** Captured events are forwarded. */
  analytics: boolean;
}

/** Returns the Markdown of a page that the operator has not published. */
export const writeDefaultDocument = (name: SiteDocumentName, recipients: DataRecipients): string =>
  name === 'terms' ? DEFAULT_TERMS : writePrivacy(recipients);

const DEFAULT_TERMS = `# Terms

The operator of this service has not published terms of use.

Ask whoever runs it before you rely on it. [Privacy](/privacy) says what is stored about you and where.
`;

function writePrivacy({ identity, banks, brokerages, payments, model, analytics }: DataRecipients): string {
  const shared = [
    identity && '- Your e-mail address, password and sign-ins are kept by an identity provider.',
    banks && '- Plaid reads your accounts if you connect a bank.',
    brokerages && '- SnapTrade reads your accounts if you connect a brokerage.',
    payments && '- Stripe takes the payments for a plan and keeps your card.',
    model &&
      '- A language model of another company receives your questions to the assistant, and the figures that an answer needs.',
    analytics && '- An analytics service receives which parts you use, if you share it.',
  ].filter((line) => line !== false);
  return `# Privacy

The operator of this service has not published a privacy policy. This page says what the software stores and where.

## What is stored about you

- **Account:** your e-mail address${identity ? '' : ', a hash of your password, your passkeys’ public keys'}, your sessions and keys, and referrals.
- **Portfolio:** accounts, holdings, net worth by day, watchlist and the layout of your dashboard.
- **Connected accounts:** their balances and holdings, and the access to read them, encrypted. Your bank’s password is never stored.
- **Plan:** its status and your invoices. Card numbers are never stored.
- **Assistant:** your questions and the answers, until 30 days after the last message of a conversation.
- **Use:** which parts of the software you use, never what you own or type. You can turn this off in the settings.

Token counts are computed and not stored. In your browser there are a session cookie, your display choices and what you entered while offline.

## Where it is stored

In the database of this service, which its operator runs. There are no ads and no scripts from other sites.

${shared.length === 0 ? 'No data about you is sent to another company.' : `Other companies receive only this:\n\n${shared.join('\n')}`}

## Your data

You can download everything that is stored about you under [Settings](/settings)${identity ? '. Your data is deleted with your account at the identity provider' : ', and delete it with your account'}. Invoices, referrals that count for somebody else and records of sign-in links are kept after that, without your name.
`;
}
