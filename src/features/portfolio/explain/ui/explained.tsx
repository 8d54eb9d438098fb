import { type ReactNode, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { lazyComponent, LazyComponent } from '../../../../ui/shell/loading/lazy-component.tsx';
import { type ExplainedFigure, formatFigureName } from './explained-figure.ts';

const lazyExplanation = lazyComponent('The explanation', () => import('./explanation-popover.tsx'));

interface ExplainedProps {
  /** Absent for a figure without explanation, which is then no button. */
  figure: ExplainedFigure | undefined;
  /** The figure on screen. The button is named by what it is and by its text. */
  children: ReactNode;
}

/**
 * Button that shows a figure, and on activation a popover with the terms that it came from. Code and data load with the
 * first activation.
 */
export const Explained = ({ figure, children }: ExplainedProps) =>
  figure ? <ExplainedButton figure={figure}>{children}</ExplainedButton> : children;

function ExplainedButton({ figure, children }: { figure: ExplainedFigure; children: ReactNode }) {
  const anchor = useRef<HTMLButtonElement>(null);
  const wasOpenOnPress = useRef(false);
  const [container, setContainer] = useState<Element | null>(null);
  const isOpen = container !== null;
  const id = useId();
  const name = formatFigureName(figure);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        id={id}
        aria-label={`${name}:`}
        aria-labelledby={`${id} ${id}-shown`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={`${name}: show how it came about`}
        className="explained"
        onPointerDown={() => {
          wasOpenOnPress.current = isOpen;
        }}
        onPointerEnter={lazyExplanation.preload}
        onClick={({ currentTarget }) => {
          // The browser has closed the popover on the press that ends in this click.
          if (wasOpenOnPress.current) wasOpenOnPress.current = false;
          // Content outside a modal dialog is inert.
          else setContainer(currentTarget.closest('dialog') ?? document.body);
        }}
      >
        <span id={`${id}-shown`}>{children}</span>
      </button>
      {container &&
        createPortal(
          <LazyComponent
            component={lazyExplanation}
            props={{ figure, anchor, onClose: () => setContainer(null) }}
            onClose={() => setContainer(null)}
          />,
          container,
        )}
    </>
  );
}
