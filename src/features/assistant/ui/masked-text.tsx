import type { ReactNode } from 'react';
import { MaskedAmount } from '../../../ui/kit/masked-amount.tsx';
import { splitFigures } from './figures.ts';

/** Shows a text that may contain private figures. In privacy mode its figures are neither visible nor announced. */
export const MaskedText = ({ text, privacy }: { text: string; privacy: boolean }): ReactNode =>
  privacy
    ? splitFigures(text).map(({ text: chunk, isFigure }, index) =>
        isFigure ? (
          <MaskedAmount key={index} hidden mask="888">
            {chunk}
          </MaskedAmount>
        ) : (
          chunk
        ),
      )
    : text;
