import { z } from 'zod';
import { defineRoutes, namedObject, namedStrictObject } from '../../platform/http/contract.ts';

const idpId = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

/** Identifier of a member in a referral URL: 12 characters without look-alikes. */
export const referralLink = z.string().regex(/^[2-9A-HJ-NP-Za-kmnp-z]{12}$/);

const stats = z.object({ total_signups: z.int(), completed_referrals: z.int() }).meta({
  id: 'ReferralStats',
  description: 'Members who signed up with the link; those of them who connected a first account.',
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
  .meta({ id: 'ReferralHistory', description: 'The last twelve months, the oldest first.' });

export type ReferralMonth = z.infer<typeof month>;

const referralLinkResponse = namedObject('ReferralLink', { referral_link: referralLink, url: z.url() });

const referrer = namedObject('Referrer', { valid: z.literal(true), referrer_idp_id: z.string() });

const accepted = z
  .object({ success: z.literal(true) })
  .meta({ id: 'ReferralCallAccepted', description: 'The call was well-formed; whether it has an effect is not told.' });

const signup = namedStrictObject('TrackSignup', {
  referred_idp_id: idpId,
  referrer_idp_id: idpId.describe('The identifier of the referrer, or their referral link.'),
});

const completion = namedStrictObject('MarkCompleted', { referred_idp_id: idpId });

const link = 'Qm7XvT3kWz9B';
const publicAccess = { access: 'anybody', errors: ['RATE_LIMITED'] } as const;
const SAME_RESPONSE_NOTE =
  'Open to anyone, so a well-formed call is answered the same, before anything is looked up, whether it has an ' +
  'effect or not.';

const CONFIRMATION_NOTE =
  'It makes a referral only of somebody whose own sign-up carried the same link, as `ref` in `unsafe_metadata` at ' +
  'the identity provider, within 48 hours of that sign-up and before a first account is connected. A sign-up that ' +
  'was made without our form counts as well when it carries that field. The provider’s signed user-created event ' +
  'decides; until it arrives, or where none comes, the provider is asked.';

export const routes = defineRoutes(
  { tag: { name: 'Referrals', description: 'Who invited whom: a link for each member, and what came of it.' } },
  {
    getReferralStats: {
      endpoint: 'GET /api/referrals/stats',
      summary: 'Count referrals',
      responses: { 200: stats },
      example: { response: { total_signups: 4, completed_referrals: 2 } },
    },
    getReferralHistory: {
      endpoint: 'GET /api/referrals/history',
      summary: 'Count referrals by month',
      responses: { 200: history },
      example: { response: { months: [{ month: '2026-11', signups: 3, completions: 1 }] } },
    },
    getReferralLink: {
      endpoint: 'GET /api/referrals/get-link',
      summary: 'Get the referral link',
      description: 'The link is created on the first call.',
      responses: { 200: referralLinkResponse },
      errors: ['DEMO_ACCOUNT', 'DEMO_MODE'],
      example: { response: { referral_link: link, url: `https://tally.example.com/sign-up?ref=${link}` } },
    },
    validateReferrer: {
      ...publicAccess,
      endpoint: 'GET /api/referrals/validate-referrer',
      summary: 'Check a referral link',
      query: z.object({ ref: z.string().optional() }),
      responses: { 200: referrer },
      errors: [...publicAccess.errors, 'REFERRER_NOT_FOUND'],
      example: { query: { ref: link }, response: { valid: true, referrer_idp_id: 'user_2abc' } },
    },
    trackSignup: {
      ...publicAccess,
      endpoint: 'POST /api/referrals/track-signup',
      summary: 'Report a sign-up',
      description: `${SAME_RESPONSE_NOTE} ${CONFIRMATION_NOTE}`,
      body: signup,
      responses: { 200: accepted },
      example: { body: { referred_idp_id: 'user_2def', referrer_idp_id: link }, response: { success: true } },
    },
    markCompleted: {
      ...publicAccess,
      endpoint: 'POST /api/referrals/mark-completed',
      summary: 'Report a first connection',
      description: SAME_RESPONSE_NOTE,
      body: completion,
      responses: { 200: accepted },
      example: { body: { referred_idp_id: 'user_2def' }, response: { success: true } },
    },
  },
);
