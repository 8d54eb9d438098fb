import type { Report } from '../contract.ts';

/** What a report is made of, before it is put into the answer's shape. */
export type ReportDraft = Pick<Report, 'title' | 'symbol' | 'lines'> &
  Partial<Pick<Report, 'table' | 'sources' | 'incomplete' | 'sample_data'>>;

/** A line for anyone to see. */
export const publicLine = (text: string): Report['lines'][number] => ({ text, private: false });

/** A line that says what the member owns. */
export const privateLine = (text: string): Report['lines'][number] => ({ text, private: true });
