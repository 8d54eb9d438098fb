import type { DocumentBlock } from '../request-types.ts';
import { estimatePdfTokens, countPdfPageTokens } from '../media/pdf-tokens.ts';
import { addCitationMarks } from './citations.ts';
import type { Context } from './context.ts';
import { measureImage, type Position } from './write-image.ts';

/** Opening of a document, independent of the preceding content. */
const DOCUMENT_OPENING = '<';
/** Maximum number of preceding signs that can be in one piece with the opening. */
const MAX_MERGED_SUFFIX_LENGTH = 32;

/** Writes a document of a user message. */
export function writeDocument(context: Context, block: DocumentBlock, path: string, position: Position): void {
  context.prompt.addTokens(countOpeningTokens(context, position.before), 'document', path, false);
  writeDocumentBlock(context, block, path);
  const hasText = block.source.type === 'text' || block.source.type === 'content';
  if (!hasText || position.after?.type !== 'text') return;
  const tokens = position.last ? countBreakAfter(context) : context.fitted.overheads.textAfter;
  context.prompt.addTokens(tokens, 'document', path, false);
}

/**
 * Returns the tokens that the line break before the next message saves, because it is in one piece with that at the end
 * of a document (one request).
 */
function countBreakAfter({ prompt, rules, fitted }: Context): number {
  if (rules.roleMarkers !== 'text' || !fitted.format.breakAfterDocument) return 0;
  return prompt.countTextTokens('\n\n') - 2 * prompt.countTextTokens('\n');
}

/**
 * Returns the extra tokens of the opening `<` of a document after other content, compared with the start of a message.
 * At the start it merges with the colon of a text role marker, if the vocabulary has that piece. It also merges with
 * other signs at the end of a text or document.
 */
function countOpeningTokens(context: Context, before: Position['before']): number {
  const { prompt, rules } = context;
  if (before === undefined || before.type === 'document') return 0;
  const suffix = before.type === 'text' ? before.text.slice(-MAX_MERGED_SUFFIX_LENGTH) : '';
  const countOpeningAfter = (text: string): number =>
    prompt.countTextTokens(text + DOCUMENT_OPENING) - prompt.countTextTokens(text);
  const firstOpening =
    rules.roleMarkers === 'text' ? countOpeningAfter('Human:') : prompt.countTextTokens(DOCUMENT_OPENING);
  if (rules.documentOnNewLine) return prompt.countTextTokens(`\n${DOCUMENT_OPENING}`) - firstOpening;
  return (suffix === '' ? prompt.countTextTokens(DOCUMENT_OPENING) : countOpeningAfter(suffix)) - firstOpening;
}

/** Writes a document at any place: frame, title, context, content. Text from a PDF is an estimate. */
export function writeDocumentBlock(context: Context, block: DocumentBlock, path: string): void {
  const { prompt, rules } = context;
  const isCited = block.citations?.enabled === true;
  prompt.addTokens(
    rules.usesV47Overheads ? context.fitted.overheads.documentFrameV47 : context.fitted.overheads.documentFrame,
    'document',
    path,
    false,
  );
  if (typeof block.title === 'string' && block.title !== '') {
    const overhead = context.fitted.overheads.titleFrame + (isCited ? context.fitted.overheads.citedTitle : 0);
    prompt.addTextTokens(`<source>${block.title}</source>`, overhead, 'document', path, false);
  }
  if (typeof block.context === 'string' && block.context !== '')
    prompt.addTextTokens(block.context, context.fitted.overheads.titleFrame, 'document', path, false);
  const { source } = block;
  if (source.type === 'text') writeDocumentText(context, source.data, path, isCited);
  else if (source.type === 'content') writeContentParts(context, source.content, path, isCited);
  else writePages(context, block, path, isCited);
}

function writeDocumentText(context: Context, text: string, path: string, isCited: boolean, kind?: 'page'): void {
  const { prompt } = context;
  if (!isCited && kind === undefined) {
    // The closing `<` of the document directly follows its text and may merge with it.
    prompt.addTextTokens(text + DOCUMENT_OPENING, -prompt.countTextTokens(DOCUMENT_OPENING), 'document', path, false);
    return;
  }
  // Sentences of a cited text and pages of a PDF omit their final line breaks.
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x0a) end--;
  prompt.addTextTokens(text.slice(0, end), 0, 'document', path, false);
  if (isCited) addCitationMarks(context, text, path, kind ?? 'text');
}

type ContentParts = Extract<DocumentBlock['source'], { type: 'content' }>['content'];

function writeContentParts(context: Context, content: ContentParts, path: string, isCited: boolean): void {
  if (typeof content === 'string') return writeDocumentText(context, content, path, isCited);
  for (const part of content) {
    if (part.type === 'text') writeDocumentText(context, part.text, path, isCited);
    else context.prompt.addTokens(measureImage(context, part, path).tokens, 'image', path, false);
  }
}

function writePages(context: Context, block: DocumentBlock, path: string, isCited: boolean): void {
  const { prompt, options, model } = context;
  const pdfFacts = options.pdf?.(block.source, path);
  if (pdfFacts === undefined) {
    prompt.addTokens(
      estimatePdfTokens(block.source.type === 'base64' ? block.source.data.length : 0),
      'document',
      path,
      false,
    );
    return;
  }
  for (const page of pdfFacts.pages) {
    prompt.addTokens(countPdfPageTokens(page, model, context.fitted), 'document', path, false);
    writeDocumentText(context, page.text, path, isCited, 'page');
    if (isCited) prompt.addTokens(context.fitted.overheads.citedPage, 'citations', path, false);
  }
}
