/** A rule for the catalog. Its SQL lists offenders as `object`. `remedy` gives the reason and the fix. */
export interface Lint {
  name: string;
  remedy: string;
  sql: string;
  /** SQL that creates one offender in a scratch database, and the name that the lint must report. */
  violation: { createViolation: string; object: string };
}
