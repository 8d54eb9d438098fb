/** Remarks on results that several tools make. */
const SAMPLE_REMARK = 'Some of these figures are sample data that a simulator made up.';
export const TIER_UNAVAILABLE_REMARK = 'The watchlist cannot be read right now, since the plan cannot be looked up.';
export const INCOMPLETE_REMARK = 'Some may be missing: not every source could be asked.';

/** What must be said of figures: that some may be missing, and that some are made up. */
export const createRemarks = ({ complete = true, sample }: { complete?: boolean; sample: boolean }): string[] => [
  ...(complete ? [] : [INCOMPLETE_REMARK]),
  ...(sample ? [SAMPLE_REMARK] : []),
];
