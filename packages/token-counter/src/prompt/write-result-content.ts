import type { Context } from './context.ts';
import type { FittedRules } from './fitted.ts';
import type { WrittenResult } from './placed-block.ts';
import { writeReference } from './write-reference.ts';
import { writeDocumentItself } from './write-document.ts';
import { measureImage } from './write-image.ts';
import { writeServerBlock } from './write-server-block.ts';
import { writeSearchResult } from './write-search-result.ts';

function documentPlace({ rules }: Context, afterText: boolean): keyof FittedRules['documentInResult'] {
  if (afterText) return 'afterText';
  return rules.turns === 'special' ? 'aloneSpecial' : 'alone';
}

/** Writes the content of one result: texts with nothing between (1 of 1 recorded), media charged. */
export function writeResultContent(context: Context, block: WrittenResult, path: string): void {
  const { prompt } = context;
  const content = block.content ?? '';
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
        if (media) prompt.charge(context.fitted.overheads.textBesideMedia, 'tool_result', place);
        texts++;
        prompt.write(block.text, 'tool_result', place);
        return;
      case 'image': {
        const { tokens, exact } = measureImage(context, block, place);
        prompt.charge(tokens + context.fitted.overheads.imageInResult, 'image', place, exact);
        return;
      }
      case 'document':
        prompt.charge(context.fitted.documentInResult[documentPlace(context, texts > 0)], 'document', place, false);
        return writeDocumentItself(context, block, place);
      case 'search_result':
        return writeSearchResult(context, block, place);
      case 'tool_reference':
        writeReference(context, block.tool_name, place, {
          opens: content[index - 1]?.type !== 'tool_reference',
          closes: content[index + 1]?.type !== 'tool_reference',
        });
        return;
      case 'browser_state':
        return;
      default:
        writeServerBlock(context, block, place);
    }
  });
  if (content.some((block) => block.type === 'search_result'))
    prompt.charge(context.fitted.overheads.searchResults, 'search_result', path, false);
  if (media) prompt.charge(context.fitted.overheads.mediaResult, 'tool_result', path);
}
