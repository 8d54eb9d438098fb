import { Queries } from '../api/queries.tsx';
import { ReauthenticationDialog } from './reauthentication-dialog.tsx';

/** Dialog over the page while a call waits for the password. */
export default function ConfirmIdentityDialog({ settle }: { settle: (isConfirmed: boolean) => void }) {
  return (
    <Queries>
      <ReauthenticationDialog
        title="Confirm that it is you"
        introduction="Keys, tokens and copies of your data outlast this session, so they need your password."
        errorTitle="Could not confirm"
        submitLabel="Continue"
        makeChange={async () => {
          settle(true);
          return [];
        }}
        onClose={() => settle(false)}
      />
    </Queries>
  );
}
