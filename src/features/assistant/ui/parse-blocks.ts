import { type Inline, parseInline } from './parse-inline.ts';

/** What stands one below the other in an answer. */
export type Block =
  | { kind: 'heading' | 'paragraph'; lines: Inline[][] }
  | { kind: 'list'; ordered: boolean; start: number; items: ListItem[] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'code'; text: string };

interface ListItem {
  parts: Inline[];
  /** A list within it, one level deep: what lies deeper stands on this one. */
  items: Inline[][];
}

const ITEM = /^( *)(?:[-*+]|(\d{1,4})[.)]) +(.*)$/;
const DIVIDER = /^ *\|? *:?-{1,}:? *(?:\| *:?-{1,}:? *)*\|? *$/;
const FENCE = /^ {0,3}(```|~~~)/;
const HEADING = /^ {0,3}#{1,6} +(.*?)(?: +#+)? *$/;
const RULE = /^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/;

/**
 * Reads the subset of Markdown in which answers are written: paragraphs, headings, lists, tables and code. Markup of
 * any other language stays text. Fit for a text that still grows: what is not finished yet reads as far as it goes.
 */
export function parseBlocks(text: string, links: ReadonlySet<string>): Block[] {
  const lines = text.replaceAll('\t', '    ').split(/\r\n|\n|\r/);
  const blocks: Block[] = [];
  const inline = (line: string): Inline[] => parseInline(line.trim(), links);
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const fence = FENCE.exec(line)?.[1];
    const heading = HEADING.exec(line);
    if (line.trim() === '' || RULE.test(line)) at += 1;
    else if (fence !== undefined) {
      const end = lines.findIndex((other, index) => index > at && other.trimStart().startsWith(fence));
      blocks.push({ kind: 'code', text: lines.slice(at + 1, end === -1 ? undefined : end).join('\n') });
      at = end === -1 ? lines.length : end + 1;
    } else if (heading) {
      blocks.push({ kind: 'heading', lines: [inline(heading[1]!)] });
      at += 1;
    } else if (startsTable(lines, at)) {
      const head = cells(line);
      const rows: Inline[][][] = [];
      for (at += 2; at < lines.length && lines[at]!.includes('|'); at += 1) {
        const row = cells(lines[at]!);
        rows.push(head.map((_, column) => inline(row[column] ?? '')));
      }
      blocks.push({ kind: 'table', head: head.map(inline), rows });
    } else if (ITEM.test(line)) at = readList(lines, at, blocks, inline);
    else {
      const paragraph: Inline[][] = [];
      for (; at < lines.length && goesOn(lines, at, paragraph.length); at += 1)
        paragraph.push(inline(lines[at]!.replace(/^ {0,3}> ?/, '')));
      blocks.push({ kind: 'paragraph', lines: paragraph });
    }
  }
  return blocks;
}

const startsTable = (lines: readonly string[], at: number): boolean =>
  lines[at]!.includes('|') && lines[at + 1]?.includes('|') === true && DIVIDER.test(lines[at + 1]!);

/** Whether a line belongs to the paragraph of which so many lines are read. */
function goesOn(lines: readonly string[], at: number, read: number): boolean {
  const line = lines[at]!;
  if (read === 0) return true;
  return line.trim() !== '' && !ITEM.test(line) && !FENCE.test(line) && !HEADING.test(line) && !startsTable(lines, at);
}

/** Cells of a table's line; a bar after a backslash is the cell's own. */
const cells = (line: string): string[] =>
  line
    .trim()
    .replace(/^\||(?<!\\)\|$/g, '')
    .split(/(?<!\\)\|/);

/** Reads a list and returns the line after it. */
function readList(
  lines: readonly string[],
  first: number,
  blocks: Block[],
  inline: (line: string) => Inline[],
): number {
  const start = ITEM.exec(lines[first]!)!;
  const ordered = start[2] !== undefined;
  const items: ListItem[] = [];
  let at = first;
  for (; at < lines.length; at += 1) {
    const line = lines[at]!;
    const item = ITEM.exec(line);
    const last = items.at(-1);
    if (item && (item[1]!.length < start[1]!.length + 2 || !last)) {
      if ((item[2] !== undefined) !== ordered) break;
      items.push({ parts: inline(item[3]!), items: [] });
    } else if (item && last) last.items.push(inline(item[3]!));
    else if (line.trim() === '') {
      if (!ITEM.test(lines[at + 1] ?? '')) break;
    } else if (last && line.startsWith('  ') && !FENCE.test(line)) {
      // A line that goes on with the item.
      const parts = last.items.at(-1) ?? last.parts;
      parts.push({ kind: 'text', text: ' ' }, ...inline(line));
    } else break;
  }
  blocks.push({ kind: 'list', ordered, start: Number(start[2] ?? 1), items });
  return at;
}
