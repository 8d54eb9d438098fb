import { useState } from 'react';
import { Button, getButtonClass } from '../../../ui/kit/button.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { useLocation } from '../../../ui/shell/navigation/location.ts';
import { prefetchRoute } from '../../../ui/shell/navigation/match-route.ts';
import { publicConfig } from '../../../ui/shell/session/public-config.ts';
import { setDemoTour } from '../../../ui/shell/session/demo-tour.ts';
import { openSample } from './open-sample.ts';

/** Opens the sample portfolio. Without a sample user the link to the sign-in takes its place. */
export function SampleButton() {
  const { search } = useLocation();
  const config = useStore(publicConfig);
  const [isPending, setPending] = useState(false);

  async function open(): Promise<void> {
    setPending(true);
    const problem = await openSample();
    setPending(false);
    if (problem === null) setDemoTour(false);
    else showToast(problem, 'bad');
  }

  if (config && !config.sample_user)
    return (
      <Link href={`/sign-in${search}`} className={getButtonClass('plain', 'min-h-11 px-5')}>
        Sign in
      </Link>
    );
  return (
    <Button
      className={`min-h-11 px-5 ${config ? '' : 'invisible'}`}
      pending={isPending}
      onPointerEnter={() => prefetchRoute('/dashboard')}
      onFocus={() => prefetchRoute('/dashboard')}
      onClick={() => {
        void open();
      }}
    >
      See a sample portfolio
    </Button>
  );
}
