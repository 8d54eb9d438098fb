import { formatMoment } from '../../../../ui/kit/formats.ts';
import type { EntryState, PlainState } from './entry-state.ts';

/** Texts of a screen: a heading, a first sentence, further notes, and its action. */
export interface PageMessages {
  title: string;
  lead: string;
  points?: readonly string[];
  note?: string;
  button?: string;
  link?: { text: string; to: string };
  /** Note below the button. */
  small?: string;
}

const NEW_LINK = 'Ask the person who sent you the link for a new one.';
const DASHBOARD = { text: 'Go to the dashboard', to: '/dashboard' };
const COPY_WHOLE = 'Copy the whole link from your message and paste it into the address bar.';
const TELL_SENDER = 'Please tell the person who sent you the link.';
/** For states in which the same link can be tried again. */
const RETRY = { note: 'Keep this page open: it still has your link.', button: 'Try again' };

/** Returns the texts of a state. Times are in the reader's time zone. */
export function getMessages(state: EntryState): PageMessages {
  switch (state.is) {
    case 'ready':
    case 'opening':
      return invitationMessages(state);
    case 'used':
      return state.interrupted ? interruptedMessages : usedMessages;
    case 'signed-in':
      return signedInMessages(state.email);
    case 'busy':
      return {
        title: 'Too many attempts',
        lead: `Tally takes a limited number of them. You can try again in ${formatSeconds(state.seconds)}.`,
        ...RETRY,
      };
    default:
      return messagesByState[state.is];
  }
}

/** Texts of the states without data. */
const messagesByState: Readonly<Record<PlainState, PageMessages>> = {
  opened: { title: 'The demo is open', lead: 'You are being taken to the dashboard.', link: DASHBOARD },
  'no-link': {
    title: 'This page needs your link',
    lead: 'The Tally demo opens with a private link that somebody has sent you, and this address has none in it.',
    points: [
      'Open the link from your message.',
      'If nothing else helps, copy the whole link and paste it into the address bar of this page.',
    ],
  },
  altered: {
    title: 'This link was changed on the way',
    lead: 'A mail program or messenger has changed the # in it, so this page cannot read it.',
    points: [
      'Copy the link from your message and paste it into the address bar.',
      'There must be a # right before “code=”. Replace what is there instead, such as %23, ? or /, and press Enter.',
      `If that does not help: ask the person who sent you the link for a new one.`,
    ],
    small: 'The link has not been used.',
  },
  malformed: {
    title: 'This link is not complete',
    lead: 'A part of it was lost on the way, as happens when a message breaks a long link into two lines.',
    points: [COPY_WHOLE, NEW_LINK],
    small: 'The link has not been used.',
  },
  refreshed: {
    title: 'Open your link again',
    lead: 'This page was loaded anew, and it keeps no link: yours was in its memory alone.',
    points: [
      'Open the link from your message again. It is still good, unless the demo has been opened with it.',
      'If you have opened the demo in this browser already, it is on the dashboard.',
    ],
    link: DASHBOARD,
  },
  expired: {
    title: 'This link has expired',
    lead: 'A link can be used for 24 hours after it was made.',
    points: [NEW_LINK],
  },
  revoked: {
    title: 'This link was withdrawn',
    lead: 'The people who run this demo have withdrawn it.',
    points: [NEW_LINK],
  },
  unusable: {
    title: 'This link cannot be used',
    lead: 'Tally does not know it. It may be for another site, or a part of it was changed on the way.',
    points: [COPY_WHOLE, NEW_LINK],
  },
  'in-demo': {
    title: 'You are in the demo already',
    lead: 'This browser is signed in to the demo account.',
    note: 'Your link has not been used. It can open the demo in another browser.',
    link: DASHBOARD,
  },
  'wrong-account': {
    title: 'This link does not lead to the demo',
    lead: 'It is for another account, so you have been signed out of that again.',
    points: [`${TELL_SENDER} ${NEW_LINK}`],
  },
  unavailable: {
    title: 'The demo is not available',
    lead: 'This site does not offer it at the moment.',
    points: [TELL_SENDER],
  },
  offline: { title: 'You are offline', lead: 'Connect to the internet, then try again.', ...RETRY },
  unreachable: {
    title: 'Tally cannot be reached',
    lead: 'No answer came. Check your connection, then try again.',
    ...RETRY,
  },
  away: {
    title: 'Tally cannot sign you in just now',
    lead: 'Something does not answer on our side. It is usually over within a minute.',
    ...RETRY,
  },
};

const interruptedMessages: PageMessages = {
  title: 'The demo did not open',
  lead: 'The connection broke while the demo was opened, and the link is used up.',
  points: [NEW_LINK],
};

const usedMessages: PageMessages = {
  title: 'This link has been used',
  lead: 'Each link opens the demo once, in one browser.',
  points: [
    'If it was you, in this browser, the demo is on the dashboard.',
    'Otherwise: ask the person who sent you the link for a new one.',
  ],
  link: DASHBOARD,
};

function invitationMessages({ is, expiresAt }: EntryState & { is: 'ready' | 'opening' }): PageMessages {
  return {
    title: is === 'ready' ? 'You are invited to the Tally demo' : 'Opening the demo',
    lead: 'Look around a full Tally dashboard, in our shared demo account. You need no account of your own.',
    points: [
      'You will see accounts, holdings, a year of net worth, and a watchlist. All of it is made up.',
      'The account is shared. Others look around in it too and see what you change, so enter nothing private.',
      expiresAt === null
        ? 'The link works once, in one browser.'
        : `The link works once, in one browser, until ${formatMoment(expiresAt.toISOString())}.`,
    ],
    button: is === 'ready' ? 'Open demo' : 'Opening the demo…',
    small: is === 'ready' ? 'The link is used up when you press the button, and not before.' : 'Keep this page open.',
  };
}

const signedInMessages = (email: string): PageMessages => ({
  title: 'You are signed in already',
  lead:
    (email === '' ? 'This browser is signed in to Tally.' : `This browser is signed in as ${email}.`) +
    ' The demo does not take the place of that, so nothing has changed.',
  points: [
    'Open your link in a private window, or in another browser.',
    'Or sign out in another tab, come back to this page, and try again.',
  ],
  note: 'Your link has not been used: it is still good.',
  button: RETRY.button,
});

const formatSeconds = (seconds: number): string => {
  if (seconds >= 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
};
