import { useState } from 'react';
import { useStore } from '../../kit/use-store.ts';
import { publicConfig } from '../session/public-config.ts';
import { forgetLinkCode, readLinkCode } from './link-code.ts';
import { NarrowPage } from './narrow-page.tsx';
import { useSearchParams } from '../navigation/location.ts';
import { session } from '../session/session.ts';
import { Link } from '../navigation/link.tsx';
import { guardInput } from '../../kit/guard-input.ts';
import { AccountCard } from './account-card.tsx';
import { useCredentialsForm } from './use-credentials-form.ts';

/** One line each, so that the form does not shift. The text does not name the referrer. */
const INTRODUCTIONS = {
  unknown: 'All you need is an email and a password.',
  valid: 'A member has invited you to Tally.',
  invalid: 'This invitation is not valid. You can still sign up.',
} as const;

/** Texts where a visitor cannot sign up. */
const closedTexts = {
  invite: {
    title: 'Sign-up by invitation',
    introduction: 'New members need an invitation. Ask the operator of this site for a link, then open it here.',
  },
  closed: {
    title: 'Sign-up is closed',
    introduction: 'This site takes no new members at the moment. Ask its operator if you need an account.',
  },
} as const;

/** Referral link of the visitor. */
export interface Invitation {
  /** Code of the link. null if there is none. */
  ref: string | null;
  /** Whether the link belongs to a member. `unknown` while the check runs and if it failed. */
  validity: 'unknown' | 'valid' | 'invalid';
  onSignedUp: (userId: string) => void;
}

/** Renders `/sign-up`, with or without a referral link. */
export function SignUpPage({ invitation }: { invitation: Invitation }) {
  const search = useSearchParams();
  const { ref, validity, onSignedUp } = invitation;
  const [link] = useState(() => readLinkCode('invitation'));
  const mode = useStore(publicConfig)?.sign_up;
  const form = useCredentialsForm('sign-up', async (credentials) => {
    const result = await session.signUp({ ...credentials, ref, invitation: link && `${link.id}.${link.secret}` });
    if (!result.ok) return result;
    forgetLinkCode('invitation');
    onSignedUp(result.value.userId);
    return result;
  });
  const signInLink = (
    <>
      Already have an account?{' '}
      <Link className="link" href={`/sign-in${search.size > 0 ? `?${search}` : ''}`}>
        Sign in
      </Link>
    </>
  );
  if (mode === 'closed' || (mode === 'invite' && !link))
    return (
      <NarrowPage title={closedTexts[mode].title} introduction={closedTexts[mode].introduction}>
        <p className="text-ink-soft">{signInLink}</p>
      </NarrowPage>
    );
  return (
    <AccountCard
      formRef={guardInput}
      title="Create your account"
      introduction={ref === null ? INTRODUCTIONS.unknown : <span role="status">{INTRODUCTIONS[validity]}</span>}
      form={form}
      errorTitle="Could not create the account"
      submitLabel="Create account"
      password={{
        autoComplete: 'new-password',
        hint: 'At least 8 characters. A few random words are easy to remember.',
      }}
      footer={signInLink}
    />
  );
}
