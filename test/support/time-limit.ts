/** The reason of a test that is skipped because the run's time is up. */
export const TIME_IS_UP = 'the time of this run is up: left to the nightly run';

/** Returns whether the time after which a run starts no test has come, in milliseconds since 1970 in STARTS_UNTIL. */
export const isTimeUp = (): boolean => Date.now() > Number(process.env['STARTS_UNTIL'] ?? Infinity);
