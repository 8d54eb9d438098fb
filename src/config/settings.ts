import { z } from 'zod';
import { advanced } from './advanced.ts';
import { core } from './core.ts';
import { databaseUrlNames, findTlsProblem } from './database-tls.ts';

type SettingName = keyof typeof core | keyof typeof advanced;

/** Tokens that must differ, so that a leaked token cannot be used for another purpose. */
const distinctTokens = [
  'DEMO_ACCESS_OPERATOR_TOKEN',
  'INTERNAL_API_TOKEN',
  'METRICS_TOKEN',
  'OPERATOR_TOKEN',
  'REVENUE_OPERATOR_TOKEN',
] as const;

const PAIR_REASON = 'each requires the other';
const ENCRYPTION_REASON = 'access to accounts is encrypted with it';

/** Settings that are required if one of others is set. The message names the first of those. */
const requirements: readonly { whenSet: readonly SettingName[]; required: SettingName; reason: string }[] = [
  { whenSet: ['DB_REPLICA_URL'], required: 'DB_URL', reason: 'the embedded database has no replica' },
  { whenSet: ['DB_READ_NODES'], required: 'DB_URL', reason: 'the embedded database has no workers' },
  { whenSet: ['DB_URL'], required: 'DB_SERVICE_ROLE_KEY', reason: 'it is the password of the service login' },
  { whenSet: ['PLAID_SECRET'], required: 'PLAID_CLIENT_ID', reason: PAIR_REASON },
  { whenSet: ['PLAID_CLIENT_ID'], required: 'PLAID_SECRET', reason: PAIR_REASON },
  { whenSet: ['PLAID_CLIENT_ID', 'PLAID_SECRET'], required: 'CONNECTIONS_KEY', reason: ENCRYPTION_REASON },
  { whenSet: ['SNAPTRADE_CONSUMER_KEY'], required: 'SNAPTRADE_CLIENT_ID', reason: PAIR_REASON },
  { whenSet: ['SNAPTRADE_CLIENT_ID'], required: 'SNAPTRADE_CONSUMER_KEY', reason: PAIR_REASON },
  {
    whenSet: ['SNAPTRADE_CLIENT_ID', 'SNAPTRADE_CONSUMER_KEY'],
    required: 'CONNECTIONS_KEY',
    reason: ENCRYPTION_REASON,
  },
  { whenSet: ['STRIPE_SECRET_KEY'], required: 'STRIPE_WEBHOOK_SECRET', reason: PAIR_REASON },
  { whenSet: ['STRIPE_WEBHOOK_SECRET'], required: 'STRIPE_SECRET_KEY', reason: PAIR_REASON },
  { whenSet: ['SMTP_URL'], required: 'MAIL_FROM', reason: 'mail needs a sender' },
  { whenSet: ['IDP_API_URL'], required: 'IDP_SECRET_KEY', reason: 'the hosted provider requires it' },
  { whenSet: ['IDP_API_URL'], required: 'IDP_FRONTEND_API_URL', reason: 'sessions are issued under it' },
];

/** Every setting of the service. */
export const settings = z.object({ ...core, ...advanced }).superRefine(
  (config, context) => {
    const invalidNames = new Set(context.issues.map(({ path }) => path?.[0]));
    const isSet = (name: SettingName): boolean => Boolean(config[name]) && !invalidNames.has(name);
    const addProblem = (name: SettingName, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    const requireSetting = (name: SettingName, because: string) => {
      if (config[name] === undefined && !invalidNames.has(name)) addProblem(name, `must be set when ${because}`);
    };
    for (const [index, name] of distinctTokens.entries()) {
      const sameToken = distinctTokens.slice(0, index).find((other) => isSet(name) && config[name] === config[other]);
      if (sameToken) addProblem(name, `must have another value than ${sameToken}`);
    }
    for (const name of databaseUrlNames) {
      const problem = isSet(name) ? findTlsProblem(config[name]!, config) : undefined;
      if (problem !== undefined) addProblem(name, problem);
    }
    for (const { whenSet, required, reason } of requirements)
      if (whenSet.some(isSet)) requireSetting(required, `${whenSet[0]} is: ${reason}`);
    if (isSet('IDP_API_URL') && isSet('SIGN_UP') && config.SIGN_UP !== 'open')
      addProblem('SIGN_UP', 'must be "open" when IDP_API_URL is set: restrict sign-ups at the identity provider');
    // The embedded database has a generated key.
    if (isSet('CONNECTIONS_KEY_PREVIOUS') && isSet('DB_URL'))
      requireSetting('CONNECTIONS_KEY', 'CONNECTIONS_KEY_PREVIOUS is: it replaces that one');
    if (isSet('SANDBOX') && isSet('DB_URL'))
      requireSetting('CONNECTIONS_KEY', `DB_URL is: with SANDBOX=on, ${ENCRYPTION_REASON}`);
  },
  // Runs even if single settings are wrong, so that one message names all problems.
  { when: () => true },
);

/**
 * Name, default, unit, example and meaning of every setting, for the documentation. Those of `.env.example` come first.
 */
export const settingDocs = Object.entries({ ...core, ...advanced }).map(([name, schema]) => ({
  name,
  advanced: name in advanced,
  ...(schema.meta() as { description: string; unit?: string; default?: string; example?: string; whenEmpty?: string }),
}));
