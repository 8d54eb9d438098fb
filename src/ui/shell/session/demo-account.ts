import { publicConfig } from './public-config.ts';
import { useMember } from './session.ts';
import { useStore } from '../../kit/use-store.ts';

/** Returns the reset time for viewers of the shared demo account, or null for every other member. */
export function useDemoAccount(): { resetAt: string | null } | null {
  const demoAccount = useStore(publicConfig)?.demo_account;
  const member = useMember();
  return demoAccount && member?.userId === demoAccount.idp_user_id ? { resetAt: demoAccount.reset_at } : null;
}
