import { Fragment, type ReactNode, useMemo } from 'react';
import { ScrollTable } from '../../../ui/kit/scroll-table.tsx';
import { toColumns } from './figures.ts';
import { type Block, parseBlocks } from './parse-blocks.ts';
import { type Inline, getInlineText } from './parse-inline.ts';
import { SafeLink } from './safe-link.tsx';
import { MaskedText } from './masked-text.tsx';

interface RichTextProps {
  text: string;
  /** URLs that may become links. All others stay plain text. */
  links: ReadonlySet<string>;
  privacy: boolean;
}

/** Renders a model's text as elements. HTML in the text stays plain text, and no resource in the text is loaded. */
export function RichText({ text, links, privacy }: RichTextProps) {
  const blocks = useMemo(() => parseBlocks(text, links), [text, links]);
  return blocks.map((block, index) => <BlockView key={index} block={block} privacy={privacy} />);
}

function BlockView({ block, privacy }: { block: Block; privacy: boolean }): ReactNode {
  const renderInline = (parts: readonly Inline[]) => <InlineParts parts={parts} privacy={privacy} />;
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return (
        <p className={block.kind === 'heading' ? 'font-semibold' : undefined}>
          {block.lines.map((line, index) => (
            <Fragment key={index}>
              {index > 0 && <br />}
              {renderInline(line)}
            </Fragment>
          ))}
        </p>
      );
    case 'list': {
      const items = block.items.map(({ parts, items: nestedItems }, index) => (
        <li key={index}>
          {renderInline(parts)}
          {nestedItems.length > 0 && (
            <ul className="list-disc ps-5">
              {nestedItems.map((item, nestedIndex) => (
                <li key={nestedIndex}>{renderInline(item)}</li>
              ))}
            </ul>
          )}
        </li>
      ));
      return block.ordered ? (
        <ol start={block.start} className="list-decimal ps-5">
          {items}
        </ol>
      ) : (
        <ul className="list-disc ps-5">{items}</ul>
      );
    }
    case 'table':
      return (
        <ScrollTable
          label="Table of the answer"
          isFramed
          columns={toColumns(
            block.head.map(renderInline),
            block.rows.map((row) => row.map(getInlineText)),
          )}
          rows={block.rows.map((row, index) => ({ key: String(index), cells: row.map(renderInline) }))}
        />
      );
    case 'code':
      return (
        // Focusable, so that keyboard users can scroll it.
        <pre tabIndex={0} className="overflow-x-auto rounded-control bg-sunken p-3 font-mono text-micro">
          <MaskedText text={block.text} privacy={privacy} />
        </pre>
      );
  }
}

function InlineParts({ parts, privacy }: { parts: readonly Inline[]; privacy: boolean }): ReactNode {
  return parts.map((part, index) => <InlinePart key={index} part={part} privacy={privacy} />);
}

function InlinePart({ part, privacy }: { part: Inline; privacy: boolean }): ReactNode {
  const inner =
    'parts' in part ? (
      <InlineParts parts={part.parts} privacy={privacy} />
    ) : (
      <MaskedText text={part.text} privacy={privacy} />
    );
  switch (part.kind) {
    case 'text':
      return inner;
    case 'code':
      return <code className="font-mono text-small">{inner}</code>;
    case 'strong':
      return <strong className="font-semibold">{inner}</strong>;
    case 'emphasis':
      return <em>{inner}</em>;
    case 'link':
      return <SafeLink url={part.url}>{inner}</SafeLink>;
  }
}
