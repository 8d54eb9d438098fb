import type { ToolResultBlock } from '../request-types.ts';
import type { Context } from './context.ts';
import { writeReference } from './write-reference.ts';
import { writeDocumentItself } from './write-document.ts';
import { measureImage } from './write-image.ts';
import { writeSearchResult } from './write-search-result.ts';
import { FITTED } from './fitted.ts';

export const DOCUMENT_IN_RESULT = { alone: 2, afterText: 10 };

/** Writes the content of one result: texts with nothing between (1 of 1 recorded), media charged. */
export function writeResultContent(
  context: Context,
  content: NonNullable<ToolResultBlock['content']>,
  path: string,
): void {
  const { prompt } = context;
  if (typeof content === 'string') {
    prompt.write(content, 'tool_result', path);
    return;
  }
  const media = content.some((block) => block.type === 'image' || block.type === 'document');
  let texts = 0;
  content.forEach((block, index) => {
    const place = prompt.path(prompt.path(path, 'content'), index);
    switch (block.type) {
      case 'text':
        if (media) prompt.charge(FITTED.textBesideMedia, 'tool_result', place);
        texts++;
        prompt.write(block.text, 'tool_result', place);
        return;
      case 'image': {
        const { tokens, exact } = measureImage(context, block, place);
        prompt.charge(tokens + FITTED.imageInResult, 'image', place, exact);
        return;
      }
      case 'document':
        prompt.charge(texts > 0 ? DOCUMENT_IN_RESULT.afterText : DOCUMENT_IN_RESULT.alone, 'document', place, false);
        writeDocumentItself(context, block, place);
        return;
      case 'search_result':
        writeSearchResult(context, block, place);
        return;
      case 'tool_reference':
        writeReference(context, block.tool_name, place, {
          opens: content[index - 1]?.type !== 'tool_reference',
          closes: content[index + 1]?.type !== 'tool_reference',
        });
        return;
      case 'browser_state':
        return;
    }
  });
  if (content.some((block) => block.type === 'search_result'))
    prompt.charge(FITTED.searchResults, 'search_result', path, false);
  if (media) prompt.charge(FITTED.mediaResult, 'tool_result', path);
}
