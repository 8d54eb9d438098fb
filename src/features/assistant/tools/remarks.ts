/** Remarks shared by several tools. */
const SAMPLE_REMARK = 'Some of these figures are sample data from a simulator.';
export const TIER_UNAVAILABLE_REMARK = 'The watchlist is unavailable right now because your plan cannot be checked.';
export const INCOMPLETE_REMARK = 'Some data may be missing because a source was unavailable.';

/** Returns the remarks on figures: some may be missing, and some may be sample data. */
export const createRemarks = ({ complete = true, sample }: { complete?: boolean; sample: boolean }): string[] => [
  ...(complete ? [] : [INCOMPLETE_REMARK]),
  ...(sample ? [SAMPLE_REMARK] : []),
];
