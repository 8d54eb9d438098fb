import type { Context } from './context.ts';
import type { FittedRules } from './fitted.ts';
import type { WrittenResult } from './located-block.ts';
import { writeReference } from './write-reference.ts';
import { writeDocumentBlock } from './write-document.ts';
import { measureImage } from './write-image.ts';
import { writeServerBlock } from './write-server-block.ts';
import { writeSearchResult } from './write-search-result.ts';

function getDocumentPosition({ rules }: Context, isAfterText: boolean): keyof FittedRules['documentInResult'] {
  if (isAfterText) return 'afterText';
  return rules.roleMarkers === 'special' ? 'aloneSpecial' : 'alone';
}

/** Writes the content of one result: texts without a separator (1 of 1 recorded), and tokens of media. */
export function writeResultContent(context: Context, block: WrittenResult, path: string): void {
  const { prompt } = context;
  const content = block.content ?? '';
  if (typeof content === 'string') {
    prompt.write(content, 'tool_result', path);
    return;
  }
  const hasMedia = content.some((block) => block.type === 'image' || block.type === 'document');
  let textCount = 0;
  content.forEach((block, index) => {
    const blockPath = prompt.joinPath(prompt.joinPath(path, 'content'), index);
    switch (block.type) {
      case 'text':
        if (hasMedia) prompt.addTokens(context.fitted.overheads.textBesideMedia, 'tool_result', blockPath);
        textCount++;
        prompt.write(block.text, 'tool_result', blockPath);
        return;
      case 'image': {
        const { tokens, exact } = measureImage(context, block, blockPath);
        prompt.addTokens(tokens + context.fitted.overheads.imageInResult, 'image', blockPath, exact);
        return;
      }
      case 'document':
        prompt.addTokens(
          context.fitted.documentInResult[getDocumentPosition(context, textCount > 0)],
          'document',
          blockPath,
          false,
        );
        return writeDocumentBlock(context, block, blockPath);
      case 'search_result':
        return writeSearchResult(context, block, blockPath);
      case 'tool_reference':
        writeReference(context, block.tool_name, blockPath, {
          opensList: content[index - 1]?.type !== 'tool_reference',
          closesList: content[index + 1]?.type !== 'tool_reference',
        });
        return;
      case 'browser_state':
        return;
      default:
        writeServerBlock(context, block, blockPath);
    }
  });
  if (content.some((block) => block.type === 'search_result'))
    prompt.addTokens(context.fitted.overheads.searchResults, 'search_result', path, false);
  if (hasMedia) prompt.addTokens(context.fitted.overheads.mediaResult, 'tool_result', path);
}
