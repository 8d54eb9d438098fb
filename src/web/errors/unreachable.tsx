import { useEffect, useState } from 'react';
import { Arrival } from '../layout/arrival.tsx';
import { session } from '../lib/session.ts';
import { Button } from '../ui/button.tsx';
import { Message } from './message.tsx';

/** The session could not be looked up: tries again when asked and when the device is back online. */
export function Unreachable() {
  const [trying, setTrying] = useState(false);
  async function again(): Promise<void> {
    setTrying(true);
    await session.start();
    setTrying(false);
  }
  useEffect(() => {
    const online = (): void => void session.start();
    addEventListener('online', online);
    return () => removeEventListener('online', online);
  }, []);
  return (
    <Message
      title="Tally cannot be reached"
      text="Your connection is down, or the sign-in service is away for a moment. You are still signed in."
      actions={
        <Button look="primary" pending={trying} onClick={() => void again()}>
          Try again
        </Button>
      }
    >
      <Arrival title="Cannot be reached" />
    </Message>
  );
}
