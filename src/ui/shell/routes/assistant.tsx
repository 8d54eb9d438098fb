import { AssistantPage } from '../../../features/assistant/ui/assistant-page.tsx';
import { useStore } from '../../kit/use-store.ts';
import { Queries } from '../api/queries.tsx';
import { privacyMode } from '../session/privacy-mode.ts';

/** Renders `/assistant`. */
export default function AssistantRoute() {
  const privacy = useStore(privacyMode);
  return (
    <Queries>
      <AssistantPage privacy={privacy} />
    </Queries>
  );
}
