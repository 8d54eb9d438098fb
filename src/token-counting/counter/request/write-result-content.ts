import type { ToolResultBlock } from '../request-types.ts';
import type { Context } from './context.ts';
import { definitionLine } from './tool-definition.ts';
import { writeDocumentItself } from './write-document.ts';
import { measureImage } from './write-image.ts';
import { writeSearchResult } from './write-search-result.ts';
import { FITTED } from './fitted.ts';

export const DOCUMENT_IN_RESULT = { alone: 1, afterText: 9 };

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
        if (media)
          prompt.charge(texts > 0 ? FITTED.nextTextBesideMedia : FITTED.firstTextBesideMedia, 'tool_result', place);
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
      case 'tool_reference': {
        const tool = context.deferredTools.get(block.tool_name);
        if (tool !== undefined) prompt.write(definitionLine(tool, context.rules.rawTools), 'tools', place);
        prompt.charge(FITTED.toolReference, 'tools', place);
        return;
      }
      case 'browser_state':
        return;
    }
  });
  if (media) prompt.charge(FITTED.mediaResult, 'tool_result', path);
}
