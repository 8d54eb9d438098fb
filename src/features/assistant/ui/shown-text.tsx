import type { ReactNode } from 'react';
import { PrivateFigure } from '../../../ui/kit/private-figure.tsx';
import { splitFigures } from './figures.ts';

/** A text that may say what the member owns: in privacy mode its figures are neither drawn nor read out. */
export const ShownText = ({ text, privacy }: { text: string; privacy: boolean }): ReactNode =>
  privacy
    ? splitFigures(text).map(({ text: piece, figure }, index) =>
        figure ? (
          <PrivateFigure key={index} hidden mask="888">
            {piece}
          </PrivateFigure>
        ) : (
          piece
        ),
      )
    : text;
