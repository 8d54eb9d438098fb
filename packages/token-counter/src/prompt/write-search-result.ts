import type { SearchResultBlock } from '../request-types.ts';
import type { Context } from './context.ts';

/** Writes a search result, which is an estimate. */
export function writeSearchResult(context: Context, block: SearchResultBlock, path: string): void {
  const { prompt } = context;
  prompt.addTokens(context.fitted.overheads.searchResultFrame, 'search_result', path, false);
  for (const text of [block.title, block.source, ...block.content.map((part) => part.text)]) {
    prompt.addTextTokens(text, 0, 'search_result', path, false);
  }
  // Its blocks are cited as a whole.
  if (block.citations?.enabled === true)
    prompt.addTokens(context.fitted.sentenceMarks.text * block.content.length, 'citations', path, false);
}
