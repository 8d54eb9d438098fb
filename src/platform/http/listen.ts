interface ListenAddress {
  host: string;
  port: number;
  /** The setting of the port (default `PORT`). */
  setting?: string;
}

/** Thrown if the service cannot listen at the address of the settings. Its message names the setting. */
export class ListenAddressError extends Error {}

/** Listens, or throws a `ListenAddressError` that names the setting to change. */
export async function listenWithErrorHint<T>(listenAddress: ListenAddress, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const hint = getErrorHint(listenAddress, code);
    if (hint === undefined) throw error;
    throw new ListenAddressError(hint, { cause: error });
  }
}

function getErrorHint({ host, port, setting = 'PORT' }: ListenAddress, code: string | undefined): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return (
        `The port ${port} of ${host} is in use by another program; ` +
        `stop that one first, or set ${setting} to a free port.`
      );
    case 'EACCES':
      return `The port ${port} may not be opened by this account; set ${setting} to a port from 1024 on.`;
    case 'ENOTSUP':
      return 'This system lets no processes share a port: start one, or several behind a balancer.';
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
    case 'EAI_AGAIN':
    case 'EINVAL':
    case 'ENOTFOUND':
      return `The setting HOST is no address of this machine: ${host}.`;
    default:
      return undefined;
  }
}
