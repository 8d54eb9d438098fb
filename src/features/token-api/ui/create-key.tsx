import { NewSecret } from '../../../ui/kit/new-secret.tsx';
import { useCreateKey } from './key-requests.ts';

/** Shows the form that creates a key by name. */
export function CreateKey() {
  const create = useCreateKey();
  return (
    <NewSecret
      secretNoun="key"
      submitLabel="Create key"
      failureTitle="Could not create the key"
      placeholder="Build server"
      create={create}
      toRequest={(name) => name}
    />
  );
}
