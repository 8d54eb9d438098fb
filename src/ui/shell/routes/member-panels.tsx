import { AssistantRoutePanel } from '../../../features/assistant/ui/assistant-route-panel.tsx';
import { useStore } from '../../kit/use-store.ts';
import { Queries } from '../api/queries.tsx';
import { privacyMode } from '../session/privacy-mode.ts';

/** Panels that the address opens on every page of a member. */
export default function MemberPanels() {
  const privacy = useStore(privacyMode);
  return (
    <Queries>
      <AssistantRoutePanel privacy={privacy} />
    </Queries>
  );
}
