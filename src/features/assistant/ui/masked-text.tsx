import type { ReactNode } from 'react';
import { MaskedAmount } from '../../../ui/kit/masked-amount.tsx';
import { splitFigures } from './figures.ts';

/** A text that may say what the member owns: in privacy mode its figures are neither drawn nor read out. */
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
