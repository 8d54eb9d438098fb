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
const DASHBOARD = { text: 'Go to Home', to: '/dashboard' };
const COPY_WHOLE = 'Copy the whole link from your message and paste it into the address bar.';
const TELL_SENDER = 'Please tell the person who sent you the link.';
/** For states in which the same link can be tried again. */
const RETRY = { note: 'Keep this page open: it still has your link.', button: 'Try again' };

/** Returns the texts of a state. Times are in the reader's time zone. */
export function getMessages(state: EntryState): PageMessages {
  switch (state.kind) {
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
        lead: `Please wait. You can try again in ${formatSeconds(state.seconds)}.`,
        ...RETRY,
      };
    default:
      return messagesByState[state.kind];
  }
}

/** Texts of the states without data. */
const messagesByState: Readonly<Record<PlainState, PageMessages>> = {
  opened: { title: 'The demo is open', lead: 'You are being taken to Home.', link: DASHBOARD },
  'no-link': {
    title: 'This page needs your link',
    lead: 'The Tally demo opens with a private link that someone has sent you, and this address contains none.',
    points: [
      'Open the link from your message.',
      'If nothing else helps, copy the whole link and paste it into the address bar of this page.',
    ],
  },
  altered: {
    title: 'This link was changed',
    lead: 'A mail program or messenger has changed the # in it, so this page cannot read it.',
    points: [
      'Copy the link from your message and paste it into the address bar.',
      'There must be a # right before “code=”. Replace any other characters there, such as %23, ? or /, and press Enter.',
      'If that does not help, ask the person who sent you the link for a new one.',
    ],
    small: 'The link has not been used.',
  },
  malformed: {
    title: 'This link is incomplete',
    lead: 'Part of it is missing. Some messages break long links into two lines.',
    points: [COPY_WHOLE, NEW_LINK],
    small: 'The link has not been used.',
  },
  refreshed: {
    title: 'Open your link again',
    lead: 'The page was reloaded and no longer has your link.',
    points: [
      'Open the link from your message again. It is still valid, unless the demo was opened with it.',
      'If you have already opened the demo in this browser, go to Home.',
    ],
    link: DASHBOARD,
  },
  expired: {
    title: 'This link has expired',
    lead: 'A link expires 24 hours after it was created.',
    points: [NEW_LINK],
  },
  revoked: {
    title: 'This link was withdrawn',
    lead: 'The operators of this demo have withdrawn it.',
    points: [NEW_LINK],
  },
  unusable: {
    title: 'This link cannot be used',
    lead: 'It may be for another site, or part of it was changed.',
    points: [COPY_WHOLE, NEW_LINK],
  },
  'in-demo': {
    title: 'You are already in the demo',
    lead: 'This browser is signed in to the demo account.',
    note: 'Your link has not been used. It can open the demo in another browser.',
    link: DASHBOARD,
  },
  'wrong-account': {
    title: 'This link does not lead to the demo',
    lead: 'It is for another account, so you have been signed out again.',
    points: [`${TELL_SENDER} ${NEW_LINK}`],
  },
  unavailable: {
    title: 'The demo is not available',
    lead: 'This site does not offer the demo at the moment.',
    points: [TELL_SENDER],
  },
  offline: { title: 'You are offline', lead: 'Connect to the internet, then try again.', ...RETRY },
  unreachable: {
    title: 'Tally cannot be reached',
    lead: 'No response. Check your connection, then try again.',
    ...RETRY,
  },
  'server-error': {
    title: 'Tally cannot sign you in right now',
    lead: 'A service is not responding. This usually resolves within a minute.',
    ...RETRY,
  },
};

const interruptedMessages: PageMessages = {
  title: 'The demo did not open',
  lead: 'The connection was lost while the demo was opening, and the link is used up.',
  points: [NEW_LINK],
};

const usedMessages: PageMessages = {
  title: 'This link has been used',
  lead: 'Each link opens the demo once, in one browser.',
  points: [
    'If you used it in this browser, go to Home.',
    'Otherwise, ask the person who sent you the link for a new one.',
  ],
  link: DASHBOARD,
};

function invitationMessages({ kind, expiresAt }: EntryState & { kind: 'ready' | 'opening' }): PageMessages {
  return {
    title: kind === 'ready' ? 'You are invited to the Tally demo' : 'Opening the demo',
    lead: 'Look around all of Tally in our shared demo account. You do not need your own account.',
    points: [
      'You will see accounts, holdings, a year of net worth, and a watchlist. All of it is sample data.',
      'The account is shared. Others use it too and see your changes, so enter nothing private.',
      expiresAt === null
        ? 'The link works once, in one browser.'
        : `The link works once, in one browser, until ${formatMoment(expiresAt.toISOString())}.`,
    ],
    button: kind === 'ready' ? 'Open demo' : 'Opening the demo…',
    small: kind === 'ready' ? 'The link is used only when you press the button.' : 'Keep this page open.',
  };
}

const signedInMessages = (email: string): PageMessages => ({
  title: 'You are already signed in',
  lead:
    (email === '' ? 'This browser is signed in to Tally.' : `This browser is signed in as ${email}.`) +
    ' Your session was kept and nothing has changed.',
  points: [
    'Open your link in a private window, or in another browser.',
    'Or sign out in another tab, come back to this page, and try again.',
  ],
  note: 'Your link has not been used and is still valid.',
  button: RETRY.button,
});

const formatSeconds = (seconds: number): string => {
  if (seconds >= 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
};
