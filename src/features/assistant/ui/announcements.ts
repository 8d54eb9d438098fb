import { hideFigures, splitAtAmounts } from './figures.ts';
import { type Block, parseBlocks } from './parse-blocks.ts';
import { getInlineText } from './parse-inline.ts';
import { type AnswerEntry, getAllowedLinks, type ReportEntry, type Thread } from './thread.ts';
import { endMessages } from './messages.ts';

/**
 * Returns the live-region text for the last entry: the start of an answer, each look-up, and the complete answer.
 * Partial text is never announced, because each update would interrupt the previous one. Opening an old conversation
 * announces nothing.
 */
export function getAnnouncement({ entries }: Thread, privacy: boolean): string {
  const lastEntry = entries.at(-1);
  if (!lastEntry || lastEntry.role === 'member') return '';
  const announcement =
    lastEntry.role === 'report' ? formatReportAnnouncement(lastEntry, privacy) : formatAnswerAnnouncement(lastEntry);
  return privacy && lastEntry.role === 'assistant' ? hideFigures(announcement) : announcement;
}

function formatAnswerAnnouncement(answer: AnswerEntry): string {
  if (!answer.isLive) return '';
  switch (answer.status) {
    case 'done': {
      const endMessage = answer.reason && endMessages[answer.reason];
      return [getPlainText(answer) && `Answer: ${getPlainText(answer)}`, endMessage].filter(Boolean).join(' ');
    }
    case 'failed':
      return [answer.failure?.message, getPlainText(answer) && `So far: ${getPlainText(answer)}`]
        .filter(Boolean)
        .join(' ');
    case 'requested':
    case 'streaming':
    case 'polling': {
      if (answer.isStopping) return 'Stopping';
      const call = answer.parts.findLast((part) => part.type === 'tool')?.call;
      return call ? `Answering. Looked up: ${call.title}` : 'Answering';
    }
  }
}

function formatReportAnnouncement({ report, error }: ReportEntry, privacy: boolean): string {
  if (error) return `The report could not be loaded. ${error.message}`;
  if (!report) return 'Creating report…';
  const lines = report.lines.map(({ text, amounts }) =>
    splitAtAmounts(text, amounts)
      .map((piece) => (privacy && piece.isFigure ? 'hidden' : piece.text))
      .join(''),
  );
  return [`${report.title}.`, ...lines, ...report.incomplete].join(' ');
}

/** Returns the plain text of an answer, without Markdown. */
function getPlainText(answer: AnswerEntry): string {
  const links = getAllowedLinks(answer);
  return answer.parts
    .flatMap((part) => (part.type === 'text' ? parseBlocks(part.text, links) : []))
    .map(getBlockText)
    .join(' ');
}

function getBlockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `${block.lines.map(getInlineText).join(' ')}.`;
    case 'paragraph':
      return block.lines.map(getInlineText).join(' ');
    case 'list':
      return block.items.map(({ parts, items }) => [parts, ...items].map(getInlineText).join('; ')).join('; ') + '.';
    case 'table':
      return block.rows
        .map((row) =>
          row.map((cell, column) => `${getInlineText(block.head[column] ?? [])} ${getInlineText(cell)}`.trim()),
        )
        .map((cells) => `${cells.join(', ')}.`)
        .join(' ');
    case 'code':
      return 'Code, shown below.';
  }
}
