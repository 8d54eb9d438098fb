import { siteConfig } from './config.ts';
import { useMember } from './session.ts';
import { useStore } from '../../kit/use-store.ts';

/** What a viewer of the shared demo account must know; null for every other member. */
export function useDemoAccount(): { resetAt: string | null } | null {
  const demo = useStore(siteConfig)?.demo_account;
  const member = useMember();
  return demo && member?.userId === demo.idp_user_id ? { resetAt: demo.reset_at } : null;
}
