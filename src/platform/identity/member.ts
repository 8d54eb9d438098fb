/** The sender of a request, as verified by the session token. */
export interface Member {
  /** The provider's id of the user. */
  idpId: string;
  sessionId: string;
  /** Time in seconds of the last sign-in or reverification, or null if the provider does not name it. */
  verifiedAt: number | null;
  /** Whether this is the shared demo account, used by invited viewers. */
  isDemoAccount: boolean;
  /** Whether this is the read-only sample portfolio user. */
  isSampleUser: boolean;
}

/** The member whose data is read. */
export type MemberRef = Pick<Member, 'idpId' | 'sessionId' | 'isSampleUser'>;

/** Ids of accounts with special rules. They are read on every request, so that the first start may set them. */
export interface ReservedAccounts {
  demoAccountId: string | undefined;
  sampleUserId: string | undefined;
  /** Whether the sample user is not offered. It stays read-only for visitors who opened it before. */
  hidesSample?: boolean | undefined;
}

/** Returns whether visitors may open the sample portfolio. A demo account is never offered as the sample. */
export const isSampleOffered = (accounts: ReservedAccounts): accounts is ReservedAccounts & { sampleUserId: string } =>
  !accounts.hidesSample && accounts.sampleUserId !== undefined && accounts.sampleUserId !== accounts.demoAccountId;
