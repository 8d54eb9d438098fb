/** Remarks shared by several tools. */
const SAMPLE_REMARK = 'Some of these figures are sample data that a simulator made up.';
export const TIER_UNAVAILABLE_REMARK = 'The watchlist cannot be read right now, since the plan cannot be looked up.';
export const INCOMPLETE_REMARK = 'Some may be missing: not every source could be asked.';

/** Returns the remarks on figures: some may be missing, and some may be sample data. */
export const createRemarks = ({ complete = true, sample }: { complete?: boolean; sample: boolean }): string[] => [
  ...(complete ? [] : [INCOMPLETE_REMARK]),
  ...(sample ? [SAMPLE_REMARK] : []),
];
