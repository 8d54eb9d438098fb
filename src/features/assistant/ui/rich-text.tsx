import { Fragment, type ReactNode, useMemo } from 'react';
import { type Block, parseBlocks } from './parse-blocks.ts';
import { type Inline, inlineWords } from './parse-inline.ts';
import { SafeLink } from './safe-link.tsx';
import { ShownText } from './shown-text.tsx';
import { TableFrame } from './table-frame.tsx';

interface RichTextProps {
  text: string;
  /** The addresses that may be links; every other one stays text. */
  links: ReadonlySet<string>;
  privacy: boolean;
}

/** A model's text as elements: what it writes is never read as HTML, and nothing in it is fetched. */
export function RichText({ text, links, privacy }: RichTextProps) {
  const blocks = useMemo(() => parseBlocks(text, links), [text, links]);
  return blocks.map((block, index) => <ShownBlock key={index} block={block} privacy={privacy} />);
}

function ShownBlock({ block, privacy }: { block: Block; privacy: boolean }): ReactNode {
  const show = (parts: readonly Inline[]) => <Parts parts={parts} privacy={privacy} />;
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
      return (
        <p className={block.kind === 'heading' ? 'font-semibold' : undefined}>
          {block.lines.map((line, index) => (
            <Fragment key={index}>
              {index > 0 && <br />}
              {show(line)}
            </Fragment>
          ))}
        </p>
      );
    case 'list': {
      const items = block.items.map(({ parts, items: inner }, index) => (
        <li key={index}>
          {show(parts)}
          {inner.length > 0 && (
            <ul className="list-disc ps-5">
              {inner.map((item, place) => (
                <li key={place}>{show(item)}</li>
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
        <TableFrame
          label="Table of the answer"
          head={block.head.map(show)}
          rows={block.rows.map((row) => row.map(show))}
          texts={block.rows.map((row) => row.map(inlineWords))}
        />
      );
    case 'code':
      return (
        // What is wider than the panel is scrolled by keyboard too.
        <pre tabIndex={0} className="overflow-x-auto rounded-control bg-sunken p-3 font-mono text-micro">
          <ShownText text={block.text} privacy={privacy} />
        </pre>
      );
  }
}

function Parts({ parts, privacy }: { parts: readonly Inline[]; privacy: boolean }): ReactNode {
  return parts.map((part, index) => <Part key={index} part={part} privacy={privacy} />);
}

function Part({ part, privacy }: { part: Inline; privacy: boolean }): ReactNode {
  const inner =
    'parts' in part ? <Parts parts={part.parts} privacy={privacy} /> : <ShownText text={part.text} privacy={privacy} />;
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
