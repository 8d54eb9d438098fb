/** What the pages need: light-dark(), popover, AbortSignal.any. Older targets would freeze light-dark() at the root. */
export const target = ['chrome125', 'edge125', 'firefox128', 'safari17.5'];
