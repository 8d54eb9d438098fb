/** Migration that only databases of 0.1.0 have applied. */
const ONLY_IN_0_1_0 = '20260905_01_plans.sql';

/** Upgrade instructions for what 0.1.0 stored, as the end of a sentence. */
export const UPGRADE_HINT_0_1_0 = 'upgrade to 0.2.0 first, as its release notes describe';

/** Returns whether a database with these migrations is one of 0.1.0. */
export const isOf0_1_0 = (migrations: readonly string[]): boolean => migrations.includes(ONLY_IN_0_1_0);
