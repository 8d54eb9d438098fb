import type { Report } from '../contract.ts';

/** Content of a report before it is converted to the shape of the response. */
export type ReportDraft = Pick<Report, 'title' | 'symbol' | 'lines'> &
  Partial<Pick<Report, 'table' | 'sources' | 'incomplete' | 'sample_data'>>;

/** Creates a line without private data. */
export const publicLine = (text: string): Report['lines'][number] => ({ text, private: false, amounts: [] });

/** Creates a line that shows what the member owns, with its money and quantities in the order of the text. */
export const privateLine = (text: string, amounts: string[] = []): Report['lines'][number] => ({
  text,
  private: true,
  amounts,
});
