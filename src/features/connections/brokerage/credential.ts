/** Member's user at the aggregator. */
export interface BrokerageUser {
  userId: string;
  userSecret: string;
}

/** Access to one connection. */
export interface ConnectionAccess extends BrokerageUser {
  connectionId: string;
}

/** Without a connection it revokes the user with all connections. A user's deletion needs no secret. */
type Access = ConnectionAccess | { userId: string; connectionId?: undefined };

/** Serializes an access for encryption. */
export const serializeAccess = (access: Access): string => JSON.stringify(access);

export const parseAccess = (credential: string): Access => JSON.parse(credential) as Access;

export const parseConnectionAccess = (credential: string): ConnectionAccess => {
  const access = parseAccess(credential);
  if (access.connectionId === undefined) throw new Error('The access belongs to a user and not to a connection.');
  return access;
};
