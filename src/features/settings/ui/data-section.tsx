import { useState } from 'react';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { showToast } from '../../../ui/kit/toasts.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { publicConfig } from '../../../ui/shell/session/public-config.ts';
import { useMember } from '../../../ui/shell/session/session.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { downloadData } from './download-data.ts';

/** Shows the download of one's data and the deletion of the account. The demo account has neither. */
export function DataSection() {
  const member = useMember();
  const demoAccount = useDemoAccount();
  const isEmbedded = useStore(publicConfig)?.frontend_api_url.startsWith('/') ?? false;
  const [pending, setPending] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  if (!member || demoAccount) return null;

  async function download(): Promise<void> {
    setPending(true);
    try {
      await downloadData();
    } catch (error) {
      showToast(`Could not download your data. ${(error as Error).message}`, 'bad');
    }
    setPending(false);
  }

  return (
    <Card title="Your data">
      <p className="max-w-prose text-small text-ink-faint">
        One JSON file with everything that is stored about you. Passwords, keys and other secrets are left out.
      </p>
      <div className="mt-4 flex flex-wrap gap-3">
        <Button
          pending={pending}
          onClick={() => {
            void download();
          }}
        >
          Download my data
        </Button>
        {isEmbedded && (
          <Button variant="danger" onClick={() => setDeleting(true)}>
            Delete account
          </Button>
        )}
      </div>
      {!isEmbedded && (
        <p className="mt-3 max-w-prose text-small text-ink-faint">
          To delete your account, delete it at the service where you sign in. Your data here is deleted with it.
        </p>
      )}
      {isDeleting && (
        <Queries>
          <DeleteAccountDialog onClose={() => setDeleting(false)} />
        </Queries>
      )}
    </Card>
  );
}
