import { z } from 'zod';
import { defineRoutes, namedObject, namedStrictObject } from '../../platform/http/contract.ts';

const idpId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

/** Random string that identifies a member in a referral URL: 12 characters, none that look alike. */
export const referralLink = z.string().regex(/^[2-9A-HJ-NP-Za-kmnp-z]{12}$/);

const stats = z.object({ total_signups: z.int(), completed_referrals: z.int() }).meta({
  id: 'ReferralStats',
  description: 'The number of members who signed up with the link, and how many of them connected a first account.',
});

export type ReferralStats = z.infer<typeof stats>;

const month = z.object({
  month: z
    .string()
    .regex(/^\d{4}-\d{2}$/)
    .describe('In UTC.'),
  signups: z.int(),
  completions: z.int(),
});

const history = z
  .object({ months: z.array(month) })
  .meta({ id: 'ReferralHistory', description: 'The last twelve months, oldest first.' });

export type ReferralMonth = z.infer<typeof month>;

const referralLinkResponse = namedObject('ReferralLink', { referral_link: referralLink, url: z.url() });

const validReferrer = namedObject('Referrer', { valid: z.literal(true), referrer_idp_id: z.string() });

const acceptedCall = z.object({ success: z.literal(true) }).meta({
  id: 'ReferralCallAccepted',
  description: 'The call was well-formed. The response does not reveal whether it had an effect.',
});

const signupBody = namedStrictObject('TrackSignup', {
  referred_idp_id: idpId,
  referrer_idp_id: idpId.describe('The identifier of the referrer, or their referral link.'),
});

const completionBody = namedStrictObject('MarkCompleted', { referred_idp_id: idpId });
const publicAccess = { access: 'public', errors: ['RATE_LIMITED'] } as const;
const SAME_RESPONSE_NOTE =
  'This route needs no credential. Every well-formed call has the same response, so that it reveals ' +
  'nothing about members.';

const CONFIRMATION_NOTE =
  'A referral is recorded only if the sign-up itself carried the same link, as `ref` in `unsafe_metadata` at the ' +
  'identity provider. The call must arrive within 48 hours of the sign-up and before a first account is connected. ' +
  'Sign-ups outside our form count if they carry that field. The provider’s signed user-created event confirms the ' +
  'link. If there is no event yet, the service requests the user from the provider.';

export const routes = defineRoutes(
  { tag: { name: 'Referrals', description: 'Each member’s referral link, and the sign-ups that it led to.' } },
  {
    getReferralStats: {
      endpoint: 'GET /api/referrals/stats',
      summary: 'Count referrals',
      responses: { 200: stats },
    },
    getReferralHistory: {
      endpoint: 'GET /api/referrals/history',
      summary: 'Count referrals by month',
      responses: { 200: history },
    },
    getReferralLink: {
      endpoint: 'GET /api/referrals/get-link',
      summary: 'Get the referral link',
      description: 'The link is created on the first call.',
      responses: { 200: referralLinkResponse },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE'],
    },
    validateReferrer: {
      ...publicAccess,
      endpoint: 'GET /api/referrals/validate-referrer',
      summary: 'Check a referral link',
      query: z.object({ ref: z.string().optional() }),
      responses: { 200: validReferrer },
      errors: [...publicAccess.errors, 'REFERRER_NOT_FOUND'],
    },
    trackSignup: {
      ...publicAccess,
      endpoint: 'POST /api/referrals/track-signup',
      summary: 'Report a sign-up',
      description: `${SAME_RESPONSE_NOTE} ${CONFIRMATION_NOTE}`,
      body: signupBody,
      responses: { 200: acceptedCall },
    },
    markCompleted: {
      ...publicAccess,
      endpoint: 'POST /api/referrals/mark-completed',
      summary: 'Report a first connection',
      description: SAME_RESPONSE_NOTE,
      body: completionBody,
      responses: { 200: acceptedCall },
    },
  },
);
