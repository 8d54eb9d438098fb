import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';

/** Renders the app into an element. The element's prerendered shell stays until the first rendering is complete. */
export function renderApp(root: HTMLElement): void {
  // A transition renders in slices, so that the shell stays responsive.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}
