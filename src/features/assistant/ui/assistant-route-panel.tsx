import { lazyErrorProps } from '../../../ui/shell/dashboard/lazy-error-props.ts';
import type { AssistantQuestion } from '../../../ui/shell/dashboard/dashboard-card.ts';
import { LazyComponent, lazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';
import { navigate, useSearchParams } from '../../../ui/shell/navigation/location.ts';
import { getClosedPanelUrl, getPanelUrl } from './panel-url.ts';

const lazyPanel = lazyComponent('The assistant', () => import('./assistant-panel.tsx'));

/** Props that preload the panel, for a control that opens it. */
export const { preloadProps: preloadAssistant } = lazyPanel;

/** Opens the assistant at its last conversation. */
export const openAssistant = (): void => navigate(getPanelUrl(), { keepScroll: true });

/** Closes the panel. Escape calls it twice, once by the key and once by the dialog: the second call does nothing. */
function closeAssistant(): void {
  if (new URLSearchParams(window.location.search).has('assistant')) navigate(getClosedPanelUrl(), { keepScroll: true });
}

/** Shows the assistant beside the page if the URL requests it. */
export function AssistantRoutePanel({ question, privacy }: { question: AssistantQuestion | null; privacy: boolean }) {
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
