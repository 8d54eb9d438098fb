import { execFile } from 'node:child_process';
import { chown, cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { parse } from 'yaml';
import { addTlsParameters } from '../../../src/config/database-tls.ts';
import { createServerGroup } from '../../support/citus.ts';
import { CLUSTER_VARIABLE, type TestCluster } from '../../support/cluster.ts';
import { eventually } from '../../support/eventually.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const deploy = join(root, 'deploy/citus');
/** Where the containers have their files. */
const MOUNT = '/etc/tally';
const SERVERS = ['coordinator', 'worker-1', 'worker-2'] as const;

type Server = (typeof SERVERS)[number];

/** Passwords that an operator writes to compose.env. */
export const PASSWORDS = { authenticator: 'authenticator-secret', service: 'service-secret' };

interface ComposeService {
  entrypoint?: string[];
  command: string[];
  environment: Record<string, string>;
  volumes: string[];
}

export interface ComposeCluster {
  env: Record<string, string>;
  ports: Record<Server, number>;
  /** Folder with one folder of certificates for each name. */
  certificates: string;
  /** Connects to a server's database. The caller ends the client. */
  connect(server: Server, login: Login): Promise<pg.Client>;
  /** Runs a command of the program with the settings of a service in the compose file, and returns its output. */
  runCommand(service: string): Promise<string>;
  stop(): Promise<void>;
}

/** A login, with the folder of its certificate if it has one. */
export interface Login {
  user: string;
  password?: string;
  certificate?: string;
  plainText?: boolean;
}

/**
 * Starts the coordinator and workers of deploy/citus/compose.yaml as processes on loopback. Each has the files that the
 * compose file mounts. Only the folder, the port and the listening address differ, and every server is called
 * localhost.
 */
export async function startComposeCluster(bin: string): Promise<ComposeCluster> {
  const group = await createServerGroup(bin);
  try {
    const compose = parse(await readFile(join(deploy, 'compose.yaml'), 'utf8'), { merge: true }) as {
      services: Record<string, ComposeService>;
    };
    const { services } = compose;
    const certificates = join(group.folder, 'certificates');
    await issueCertificates(services['certificates']!, certificates, group.account?.uid ?? process.getuid!());
    const ports = {} as Record<Server, number>;
    for (const name of SERVERS) {
      const mounted = await mountFiles(services, name, join(group.folder, `mount-${name}`), certificates);
      for (const file of mounted) if (group.account) await chown(file, group.account.uid, group.account.gid);
      ports[name] = await group.start(name, {
        owner: 'postgres',
        database: 'tally',
        settings: { include: join(group.folder, `mount-${name}`, 'postgresql.conf') },
      });
    }
    const connect = (server: Server, login: Login) => connectTo(ports[server], certificates, login);
    for (const name of SERVERS) {
      const login = { user: 'postgres', certificate: join(certificates, name) };
      await eventually(() => connect(name, login).then((client) => client.end().then(() => true), () => false)); // prettier-ignore
      await runSql(await connect(name, login), 'create extension citus');
    }
    await runSql(
      await connect('coordinator', { user: 'postgres', certificate: join(certificates, 'coordinator') }),
      replaceAddresses(await readFile(join(deploy, 'add-servers.sql'), 'utf8'), ports),
    );
    const cluster = getCluster(services, ports, certificates);
    return {
      env: { [CLUSTER_VARIABLE]: JSON.stringify(cluster) },
      ports,
      certificates,
      connect,
      runCommand: (service) => runCommand(services[service]!, ports, join(certificates, 'owner')),
      stop: group.stop,
    };
  } catch (error) {
    await group.stop();
    throw error;
  }
}

/** Runs the script of the compose file's first service. The accounts of the images do not exist here. */
async function issueCertificates(service: ComposeService, folder: string, uid: number): Promise<void> {
  const names = [...service.entrypoint!.slice(2), ...service.command];
  await promisify(execFile)('sh', [
    join(deploy, basename(service.entrypoint![0]!)),
    folder,
    ...names.map((name) => name.replace(/:.*/, `:${uid}`)),
  ]);
}

/** Copies the files that a server mounts into `folder`, which replaces `/etc/tally`, and returns their paths. */
async function mountFiles(
  services: Record<string, ComposeService>,
  server: string,
  folder: string,
  certificates: string,
): Promise<string[]> {
  await mkdir(folder);
  const paths = [folder];
  const mounts = services[server]!.volumes.map((volume) => volume.split(':') as [string, string]);
  for (const [source, target] of mounts) {
    if (!target.startsWith(MOUNT)) continue;
    const path = join(folder, target.slice(MOUNT.length));
    if (source.startsWith('./')) {
      const text = await readFile(join(deploy, source), 'utf8');
      await writeFile(path, text.replaceAll(MOUNT, folder).replace(`listen_addresses = '*'`, `listen_addresses = '127.0.0.1'`)); // prettier-ignore
      paths.push(path);
    } else {
      const issued = services['certificates']!.volumes.find((volume) => volume.startsWith(`${source}:`));
      await cp(join(certificates, basename(issued!.split(':')[1]!)), path, { recursive: true });
      paths.push(path, join(path, 'ca.crt'), join(path, 'tls.crt'), join(path, 'tls.key'));
    }
  }
  return paths;
}

async function connectTo(port: number, certificates: string, login: Login): Promise<pg.Client> {
  const { user, password, certificate, plainText } = login;
  const read = (file: string) => readFile(join(certificate!, file));
  const client = new pg.Client({
    host: 'localhost',
    port,
    user,
    database: 'tally',
    ...(password !== undefined && { password }),
    ssl: !plainText && {
      ca: await readFile(join(certificates, 'client/ca.crt')),
      ...(certificate && { cert: await read('tls.crt'), key: await read('tls.key') }),
    },
  });
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** Runs SQL and ends the connection. */
export async function runSql<Row extends object>(client: pg.Client, text: string): Promise<Row[]> {
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Replaces the servers' host names and ports in SQL or in a URL. */
const replaceAddresses = (text: string, ports: Record<Server, number>): string =>
  text.replace(
    /(coordinator|worker-\d)(:|', )5432/g,
    (_, name: Server, between) => `localhost${between}${ports[name]}`,
  );

/** Returns the settings of a service in the compose file, with the addresses and files of this cluster. */
function readEnvironment(service: ComposeService, ports: Record<Server, number>, certificate: string) {
  const secrets: Record<string, string> = {
    DB_AUTHENTICATOR_PASSWORD: PASSWORDS.authenticator,
    DB_SERVICE_ROLE_KEY: PASSWORDS.service,
  };
  const database = Object.entries(service.environment).filter(([name]) => name.startsWith('DB_'));
  return Object.fromEntries(
    database.map(([name, value]) => [
      name,
      replaceAddresses(value, ports)
        .replaceAll(`${MOUNT}/certificate`, certificate)
        .replace(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => secrets[variable]!),
    ]),
  );
}

function getCluster(
  services: Record<string, ComposeService>,
  ports: Record<Server, number>,
  certificates: string,
): TestCluster {
  const settings = readEnvironment(services['server']!, ports, join(certificates, 'client'));
  const tls = { DB_SSLMODE: 'verify-full', DB_SSLROOTCERT: settings['DB_SSLROOTCERT'] } as const;
  const authenticator = addTlsParameters(settings['DB_URL']!, tls);
  const owner = readEnvironment(services['migrate']!, ports, join(certificates, 'owner'))['DB_OWNER_URL']!;
  return {
    ownerUrl: addTlsParameters(owner, tls),
    workers: [],
    authenticator,
    service: authenticator.replace(/\/\/[^@]*@/, `//service_authenticator:${PASSWORDS.service}@`),
    assistant: authenticator,
  };
}

async function runCommand(service: ComposeService, ports: Record<Server, number>, certificate: string) {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'bin/tally.mjs'), ...service.command], {
    env: { PATH: process.env['PATH'], ...readEnvironment(service, ports, certificate) },
    cwd: certificate,
  });
  return stdout;
}
