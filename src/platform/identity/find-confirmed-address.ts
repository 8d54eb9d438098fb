import { AppError } from '../../errors.ts';
import type { ProviderClient } from './provider-client.ts';

/**
 * Returns the primary address of a member, or undefined if the member has not confirmed it or is deleted. Throws
 * `AppError` UNAVAILABLE if the identity provider does not answer.
 */
export async function findConfirmedAddress(
  { getUser }: Pick<ProviderClient, 'getUser'>,
  idpId: string,
): Promise<string | undefined> {
  const result = await getUser(idpId);
  if (!result.ok) {
    if (result.reason === 'not_found') return undefined;
    throw new AppError('UNAVAILABLE', { message: 'Your email cannot be looked up right now; try again shortly.' });
  }
  const { primary_email_address_id: primaryId, email_addresses: addresses } = result.value;
  const primary = addresses.find(({ id }) => id === primaryId);
  return primary?.verification?.status === 'verified' ? primary.email_address : undefined;
}
