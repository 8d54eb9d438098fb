/** Who a member is to the aggregator. */
export interface BrokerageUser {
  userId: string;
  userSecret: string;
}

/** What reads and ends one connection. */
export interface ConnectionAccess extends BrokerageUser {
  connectionId: string;
}

/** Without a connection it ends the user, and everything that they have connected; no secret is asked for that. */
type Access = ConnectionAccess | { userId: string; connectionId?: undefined };

/** As the text that is sealed. */
export const serializeAccess = (access: Access): string => JSON.stringify(access);

export const parseAccess = (credential: string): Access => JSON.parse(credential) as Access;

export const parseConnectionAccess = (credential: string): ConnectionAccess => {
  const access = parseAccess(credential);
  if (access.connectionId === undefined) throw new Error('This access is a user’s, and no connection’s.');
  return access;
};
