import { besidePage } from '../../../ui/shell/dashboard/beside-page.ts';
import type { AssistantQuestion } from '../../../ui/shell/dashboard/dashboard-card.ts';
import { LazyPart, lazyPart } from '../../../ui/shell/loading/lazy-part.tsx';
import { navigate, useSearch } from '../../../ui/shell/navigation/location.ts';
import { closedLink, panelLink } from './panel-address.ts';

const panelPart = lazyPart('The assistant', () => import('./assistant-panel.tsx'));

/** Properties of a control that opens the assistant. */
export const { preloadProps: preloadAssistant } = panelPart;

/** Opens the assistant where it was left. */
export const openAssistant = (): void => navigate(panelLink(), { keepScroll: true });

/** Called once by Escape and once more by the dialog's own end: the second time there is nothing to leave. */
function closeAssistant(): void {
  if (new URLSearchParams(window.location.search).has('assistant')) navigate(closedLink(), { keepScroll: true });
}

/** The assistant at the side of the page, where the page's address asks for it. */
export function AssistantRoutePanel({ asked, privacy }: { asked: AssistantQuestion | null; privacy: boolean }) {
  const at = useSearch().get('assistant');
  if (at === null) return null;
  return (
    <LazyPart
      part={panelPart}
      props={{ at, asked, privacy, onClose: closeAssistant }}
      {...besidePage}
      onClose={closeAssistant}
    />
  );
}
