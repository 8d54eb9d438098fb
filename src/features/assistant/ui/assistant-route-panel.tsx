import { lazyErrorProps } from '../../../ui/shell/dashboard/lazy-error-props.ts';
import type { AssistantQuestion } from '../../../ui/shell/dashboard/dashboard-card.ts';
import { LazyComponent, lazyComponent } from '../../../ui/shell/loading/lazy-component.tsx';
import { navigate, useSearchParams } from '../../../ui/shell/navigation/location.ts';
import { getClosedPanelUrl, getPanelUrl } from './panel-url.ts';

const lazyPanel = lazyComponent('The assistant', () => import('./assistant-panel.tsx'));

/** Properties of a control that opens the assistant. */
export const { preloadProps: preloadAssistant } = lazyPanel;

/** Opens the assistant where it was left. */
export const openAssistant = (): void => navigate(getPanelUrl(), { keepScroll: true });

/** Called once by Escape and once more by the dialog's own end: the second time there is nothing to leave. */
function closeAssistant(): void {
  if (new URLSearchParams(window.location.search).has('assistant')) navigate(getClosedPanelUrl(), { keepScroll: true });
}

/** The assistant at the side of the page, where the page's address asks for it. */
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
