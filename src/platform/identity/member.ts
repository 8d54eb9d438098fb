/** Who sent a request, as the session token proved. */
export interface Member {
  /** The provider's id of the person. */
  idpId: string;
  sessionId: string;
  /** The shared demo account, used by invited viewers. */
  isDemoAccount: boolean;
  /** The read-only sample portfolio user. */
  isSampleUser: boolean;
}

/** The member in whose name something is read. */
export type MemberRef = Pick<Member, 'idpId' | 'sessionId' | 'isSampleUser'>;

/** Ids with special rules. Read on every request, so that the first start may fill them in. */
export interface ReservedAccounts {
  demoAccountId: string | undefined;
  sampleUserId: string | undefined;
}
