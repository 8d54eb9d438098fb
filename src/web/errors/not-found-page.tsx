import { useMember } from '../lib/session.ts';
import { buttonClass } from '../ui/button.tsx';
import { Link } from '../ui/link.tsx';
import { Message } from './message.tsx';

/** For an address that is no page. */
export function NotFoundPage() {
  const member = useMember();
  return (
    <Message
      title="There is no page at this address"
      text="It may have been moved, or a letter of the address is missing."
      actions={
        <Link href={member ? '/dashboard' : '/'} className={buttonClass('primary')}>
          {member ? 'Go to the dashboard' : 'Go to the start'}
        </Link>
      }
    />
  );
}
