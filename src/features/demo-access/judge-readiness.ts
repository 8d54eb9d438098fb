import type { SpecialAccounts } from '../../platform/identity/member.ts';

interface ReadinessDependencies {
  accounts: Pick<SpecialAccounts, 'sampleUserId'>;
  isMember(idpId: string): Promise<boolean>;
  /** How many accounts a member has, and how many holdings. */
  portfolioSizeOf(idpId: string): Promise<{ accounts: number; holdings: number }>;
}

/** Whether viewers can be invited to an account; `reason` is a sentence that says what to do first. */
type Readiness = { ok: true } | { ok: false; reason: string };

/**
 * An account is ready for viewers when it has been onboarded here, owns an account and a holding, and is not the sample
 * user.
 */
export const judgeReadiness =
  (deps: ReadinessDependencies) =>
  async (idpId: string): Promise<Readiness> => {
    const no = (reason: string): Readiness => ({ ok: false, reason });
    if (idpId === deps.accounts.sampleUserId)
      return no(`${idpId} is the sample user: let DEMO_ACCOUNT_IDP_USER_ID name the demo account instead.`);
    if (!(await deps.isMember(idpId)))
      return no(`${idpId} has never been onboarded here: sign in with it once, then run "tally demo-account reset".`);
    const { accounts, holdings } = await deps.portfolioSizeOf(idpId);
    if (accounts === 0 || holdings === 0)
      return no(`${idpId} has ${accounts === 0 ? 'no account' : 'no holding'}: run "tally demo-account reset" first.`);
    return { ok: true };
  };
