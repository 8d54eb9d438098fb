/** A handle's type says what its SQL may do: a function with a `MemberSql` cannot reach past row-level security. */
export interface Handle {
  /**
   * Runs one statement and returns its rows. `bigint` and `numeric` come as strings; cast in SQL (`count(*)::int`). A
   * JSON array must be passed as `JSON.stringify(value)`, since a plain array becomes an SQL array. Throws pg's
   * `DatabaseError` (`code` is the SQLSTATE).
   */
  query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs `work` in one transaction: committed when it resolves, else rolled back. A nested one is a savepoint. */
  transaction<T>(work: (sql: this) => Promise<T>): Promise<T>;
}

/** Runs as the role `authenticated` with one member's claims, under row-level security. */
export interface MemberSql extends Handle {
  readonly privilege: 'member';
}

/** Runs as the role `service_role`, past row-level security. For work that no member's rights cover. */
export interface ServiceSql extends Handle {
  readonly privilege: 'service';
}

/** What policies read through `auth.jwt()`: the member and the sign-in session. */
export interface MemberClaims {
  sub: string;
  sid?: string;
}
