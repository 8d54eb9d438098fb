import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { callApi } from '../../../ui/shell/api/api.ts';
import { Queries } from '../../../ui/shell/api/queries.tsx';
import { useDemoAccount } from '../../../ui/shell/session/demo-account.ts';
import { useMember } from '../../../ui/shell/session/session.ts';
import { signOut } from '../../../ui/shell/session/sign-out.ts';
import { publicConfig } from '../../../ui/shell/session/public-config.ts';
import { useStore } from '../../../ui/kit/use-store.ts';
import { Button } from '../../../ui/kit/button.tsx';
import { Card } from '../../../ui/kit/card.tsx';
import { CopyButton } from '../../../ui/kit/copy-button.tsx';
import { Link } from '../../../ui/shell/navigation/link.tsx';
import { EmailControls } from './email-controls.tsx';

/** Shows the signed-in account and the sign-out button. */
export function AccountSection() {
  const member = useMember();
  const demoAccount = useDemoAccount();
  const sendsMail = useStore(publicConfig)?.password_recovery === 'email';
  if (!member) return null;
  return (
    <Card title="Account">
      <dl className="divide-y divide-line border-y border-line">
        <AccountRow name="Email">
          <div className="grid min-w-0 grow grid-cols-[minmax(0,1fr)] gap-1 py-1">
            <span className="break-words font-medium">{member.email}</span>
            {sendsMail && !demoAccount && (
              <Queries>
                <EmailControls />
              </Queries>
            )}
          </div>
        </AccountRow>
        <AccountRow name="User ID">
          <code className="min-w-0 break-all font-mono text-small">{member.userId}</code>
          <CopyButton text={member.userId} label="Copy the user ID" />
        </AccountRow>
        <AccountRow name="Plan">
          <Queries>
            <PlanName />
          </Queries>
          <Link href="/plans" className="link">
            See the plans
          </Link>
        </AccountRow>
      </dl>
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3">
        <p className="text-small text-ink-faint">
          {demoAccount
            ? 'Your link works only once. After signing out you need a new link.'
            : 'Signing out ends the session in every tab of this browser.'}
        </p>
        <Button
          onClick={() => {
            void signOut();
          }}
        >
          Sign out
        </Button>
      </div>
    </Card>
  );
}

/** Shows the name of the member's plan. Its place is kept while it loads. */
function PlanName() {
  const { data } = useQuery({
    queryKey: ['plans'],
    queryFn: ({ signal }) => callApi('GET /api/plans', { signal }),
  });
  return <span className="min-w-12 font-medium capitalize">{data?.current}</span>;
}

function AccountRow({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center py-1.5">
      <dt className="w-full text-small text-ink-faint sm:w-40 sm:text-body">{name}</dt>
      <dd className="flex min-h-8 min-w-0 grow basis-full items-center gap-1 sm:basis-0">{children}</dd>
    </div>
  );
}
