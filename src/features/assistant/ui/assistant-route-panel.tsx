import { useEffect } from 'react';
import { lazyErrorProps } from '../../../ui/shell/loading/lazy-error-props.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { LazyComponent, lazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';
import { closePanel, useSearchParams } from '../../../ui/shell/navigation/location.ts';
import { getClosedPanelUrl } from './panel-url.ts';
import { pendingQuestion } from './pending-question.ts';

const lazyPanel = lazyComponent('The assistant', () => import('./assistant-panel.tsx'));

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
