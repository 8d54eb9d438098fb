import type { ReactNode } from 'react';
import { SecurityLink } from '../../../ui/shell/navigation/security-link.tsx';
import { splitTickers } from './split-tickers.ts';

/** Shows a text of a report in which the tickers that the report is about are links. */
export const LinkedTickers = ({ text, symbols }: { text: string; symbols: readonly string[] }): ReactNode =>
  splitTickers(text, symbols).map(({ text: chunk, isTicker }, index) =>
    isTicker ? (
      <SecurityLink key={index} symbol={chunk} className="link">
        {chunk}
      </SecurityLink>
    ) : (
      chunk
    ),
  );
