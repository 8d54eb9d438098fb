/** A database handle. Its type shows its rights: a function with a `MemberSql` cannot bypass row-level security. */
export interface Handle {
  /**
   * Runs one statement and returns its rows. `bigint` and `numeric` are returned as strings, so cast in SQL
   * (`count(*)::int`). A JSON array must be passed as `JSON.stringify(value)`, since a plain array becomes an SQL
   * array. Throws pg's `DatabaseError` (`code` is the SQLSTATE).
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /**
   * Runs `work` in one transaction, which commits when it resolves and else rolls back. A nested one is a savepoint.
   */
  transaction<T>(work: (sql: this) => Promise<T>): Promise<T>;
}

/** Runs as the role `authenticated` with one member's claims, under row-level security. */
export interface MemberSql extends Handle {
  readonly privilege: 'member';
  /** The member. Each statement names it as `idp_id`, so that a cluster asks the member's worker alone. */
  readonly idpId: string;
}

/** Runs as the role `service_role`, without row-level security. Used for work that no member's rights cover. */
export interface ServiceSql extends Handle {
  readonly privilege: 'service';
}

/** Claims that policies read through `auth.jwt()`: the member and the sign-in session. */
export interface MemberClaims {
  sub: string;
  sid?: string;
}
