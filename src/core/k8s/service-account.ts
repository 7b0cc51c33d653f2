/**
 * Service accounts as user names. The API server calls the account `sa` of namespace `ns`
 * `system:serviceaccount:ns:sa`; policies match by it and read its parts.
 */
const PREFIX = "system:serviceaccount:";

export type ServiceAccountName = { readonly namespace: string; readonly name: string };

/** The user name under which a service account acts. */
export function serviceAccountUserName(namespace: string, name: string): string {
  return `${PREFIX}${namespace}:${name}`;
}

/**
 * The account behind a user name, `undefined` for any other user. What follows a third colon is ignored. Upstream cuts
 * the prefix off by its length without looking at it, so that users with long names get parts of these as account; here
 * only a service account has one.
 */
export function serviceAccountOf(username: string): ServiceAccountName | undefined {
  if (!username.startsWith(PREFIX)) return undefined;
  const [namespace, name] = username.slice(PREFIX.length).split(":");
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}
