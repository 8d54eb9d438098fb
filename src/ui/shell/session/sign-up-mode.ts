import { useStore } from '../../kit/use-store.ts';
import { publicConfig } from './public-config.ts';

/** Texts that replace a link to the sign-up where a visitor cannot sign up. */
export const closedSignUpTexts = {
  invite: 'New members need an invitation from the operator of this site.',
  closed: 'This site takes no new members at the moment.',
} as const;

/** Returns who may sign up. Until the settings are loaded it is everybody, as at most sites. */
export const useSignUpMode = () => useStore(publicConfig)?.sign_up ?? 'open';
