import { useEffect } from 'react';
import { lazyErrorProps } from '../../../ui/shell/dashboard/lazy-error-props.ts';
import type { AssistantQuestion } from '../../../ui/shell/dashboard/dashboard-card.ts';
import { createStore } from '../../../ui/kit/store.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { LazyComponent, lazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';
import { closePanel, openPanel, useSearchParams } from '../../../ui/shell/navigation/location.ts';
import { getClosedPanelUrl, getPanelUrl } from './panel-url.ts';

const lazyPanel = lazyComponent('The assistant', () => import('./assistant-panel.tsx'));

/** Props that preload the panel, for a control that opens it. */
export const { preloadProps: preloadAssistant } = lazyPanel;

/** Question from the page for the panel, or null without one. */
const pendingQuestion = createStore<AssistantQuestion | null>(null);

/** Opens the assistant with a question. */
export function askAssistant(question: AssistantQuestion): void {
  pendingQuestion.set(question);
  openPanel(getPanelUrl());
}

const isRequested = (): boolean => new URLSearchParams(window.location.search).has('assistant');

/** Closes the panel. Escape calls it twice, once by the key and once by the dialog: the second call does nothing. */
function closeAssistant(): void {
  if (isRequested()) closePanel(getClosedPanelUrl());
}

/** Shows the assistant beside the page if the URL requests it. */
export function AssistantRoutePanel({ privacy }: { privacy: boolean }) {
  const question = useStore(pendingQuestion);
  useEffect(
    () => () => {
      if (!isRequested()) pendingQuestion.set(null);
    },
    [],
  );
  const target = useSearchParams().get('assistant');
  if (target === null) return null;
  return (
    <LazyComponent
      component={lazyPanel}
      props={{ target, question, privacy, onClose: closeAssistant }}
      {...lazyErrorProps}
      onClose={closeAssistant}
    />
  );
}
