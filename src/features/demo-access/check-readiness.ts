import type { ReservedAccounts } from '../../platform/identity/member.ts';

export interface ReadinessDependencies {
  accounts: Pick<ReservedAccounts, 'sampleUserId'>;
  isMember(idpId: string): Promise<boolean>;
  /** Returns the numbers of a member's accounts and holdings. */
  countAccountsAndHoldings(idpId: string): Promise<{ accounts: number; holdings: number }>;
}

/** Whether viewers can be invited to an account. `reason` is a sentence that states the missing step. */
type Readiness = { ok: true } | { ok: false; reason: string };

/**
 * Creates the readiness check. An account is ready for viewers if it has been onboarded here, owns an account and a
 * holding, and is not the sample user.
 */
export const createReadinessCheck =
  (deps: ReadinessDependencies) =>
  async (idpId: string): Promise<Readiness> => {
    const notReady = (reason: string): Readiness => ({ ok: false, reason });
    if (idpId === deps.accounts.sampleUserId)
      return notReady(`${idpId} is the sample user: set DEMO_ACCOUNT_IDP_USER_ID to the demo account.`);
    if (!(await deps.isMember(idpId)))
      return notReady(
        `${idpId} has never been onboarded here: sign in with it once, then run "tally demo-account reset".`,
      );
    const { accounts, holdings } = await deps.countAccountsAndHoldings(idpId);
    if (accounts === 0 || holdings === 0)
      return notReady(
        `${idpId} has ${accounts === 0 ? 'no account' : 'no holding'}: run "tally demo-account reset" first.`,
      );
    return { ok: true };
  };
