import { formatInteger } from './formats.ts';

/** Formats a count as "1 row" or "3 rows". */
export const formatCount = (count: number, singular: string, plural = `${singular}s`): string =>
  `${formatInteger(count)} ${count === 1 ? singular : plural}`;
