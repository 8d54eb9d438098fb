import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Badge } from '../../../ui/kit/badge.tsx';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { useStore } from '../../../ui/kit/use-store.ts';
import { publicConfig } from '../../../ui/shell/session/public-config.ts';
import { accountFactorsQuery } from '../../../ui/shell/reauthentication/account-factors.ts';
import { NewCodesDialog } from './new-codes-dialog.tsx';
import { QueryContent } from './query-content.tsx';
import { RemoveAppDialog } from './remove-app-dialog.tsx';
import { SetUpAppDialog } from './set-up-app-dialog.tsx';

/** Shows whether signing in needs a code, and changes it. Members of a hosted provider change it there. */
export function TwoStepSection() {
  const isEmbedded = useStore(publicConfig)?.frontend_api_url.startsWith('/') ?? false;
  return isEmbedded ? (
    <Card title="Two-step verification">
      <TwoStepControls />
    </Card>
  ) : null;
}

function TwoStepControls() {
  const factors = useQuery(accountFactorsQuery);
  const [open, setOpen] = useState<'set-up' | 'codes' | 'remove' | null>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <QueryContent query={factors} lines={2} label="Loading your two-step verification">
        {({ hasApp, hasRecoveryCodes }) =>
          hasApp ? (
            <TurnedOn
              hasRecoveryCodes={hasRecoveryCodes}
              onNewCodes={() => setOpen('codes')}
              onRemove={() => setOpen('remove')}
            />
          ) : (
            <TurnedOff onSetUp={() => setOpen('set-up')} />
          )
        }
      </QueryContent>
      {open === 'set-up' && <SetUpAppDialog onClose={close} />}
      {open === 'codes' && <NewCodesDialog onClose={close} />}
      {open === 'remove' && <RemoveAppDialog onClose={close} />}
    </>
  );
}

function TurnedOff({ onSetUp }: { onSetUp: () => void }) {
  return (
    <>
      <p className="max-w-prose text-ink-soft">
        Protect your account with an authenticator app. To sign in you then need a code of the app and your password.
      </p>
      <Button className="mt-4" onClick={onSetUp}>
        Set up an app
      </Button>
    </>
  );
}

interface TurnedOnProps {
  hasRecoveryCodes: boolean;
  onNewCodes: () => void;
  onRemove: () => void;
}

function TurnedOn({ hasRecoveryCodes, onNewCodes, onRemove }: TurnedOnProps) {
  return (
    <>
      <div className="grid gap-2">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          Authenticator app <Badge tone="accent">On</Badge>
        </p>
        <p className="max-w-prose text-ink-soft">
          {hasRecoveryCodes
            ? 'If you lose your phone, sign in with one of your recovery codes.'
            : 'You have no recovery codes left. Create new ones, so that you can sign in without your phone.'}
        </p>
      </div>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button onClick={onNewCodes}>New recovery codes</Button>
        <Button variant="danger" onClick={onRemove}>
          Turn off
        </Button>
      </div>
    </>
  );
}
