import { NewSecret } from '../../web/ui/new-secret.tsx';
import { useCreateKey } from './key-requests.ts';

/** Makes a key by name. */
export const CreateKey = () => (
  <NewSecret
    what="key"
    make="Create key"
    failed="The key was not created"
    placeholder="Build server"
    create={useCreateKey()}
    choose={(name) => name}
  />
);
