import { getButtonClass } from '../../kit/button.tsx';
import { Link } from '../navigation/link.tsx';
import { useMember } from '../session/session.ts';
import { MessagePage } from './error-pages.tsx';

/** Page for an unknown URL. */
export default function NotFoundPage() {
  const member = useMember();
  return (
    <MessagePage
      name="Page not found"
      title="Page not found"
      text="It may have moved, or the address may be mistyped."
      actions={
        <Link href={member ? '/dashboard' : '/'} className={getButtonClass('primary')}>
          {member ? 'Go to Home' : 'Go to the home page'}
        </Link>
      }
    />
  );
}
