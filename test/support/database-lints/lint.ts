/** A rule for the catalog. Its SQL lists offenders as `object`; `remedy` says why that is wrong and what to do. */
export interface Lint {
  name: string;
  remedy: string;
  sql: string;
  /** SQL that makes one offender in a scratch database, and the name that the lint must report. */
  violation: { createViolation: string; object: string };
}
