import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { collectDefaultMetrics, Registry } from 'prom-client';
import semver from 'semver';
import { parse, parseAllDocuments } from 'yaml';
import { commands } from '../cli/commands.ts';
import { listReleaseFiles, createReleaseManifest } from '../tools/build-release.ts';
import { exitCode } from '../src/command-line.ts';
import { core } from '../src/config/core.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { settings } from '../src/config/settings.ts';
import { listCommands } from './support/page-commands.ts';
import { PROGRAM_PATH, skipWithout } from './support/parts.ts';

/* The files in deploy/ name settings, files, paths and ports of the service, and each of them must exist. */

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, 'deploy', file), 'utf8');
const isSetting = (name: string): boolean => name.replace(/_FILE$/, '') in settings.shape || name in settings.shape;
const collectSettingNames = (text: string): string[] =>
  [...text.matchAll(/^([A-Z][A-Z_]+)=/gm)].map((match) => match[1]!);
const readText = (file: string): string => readFileSync(join(root, file), 'utf8');
/** Returns the files of the release and their folders, as paths from its root. */
function listReleasePaths() {
  const files = new Set(listReleaseFiles());
  const folders = new Set<string>();
  for (const file of files) for (let path = dirname(file); path !== '.'; path = dirname(path)) folders.add(path);
  return { files, folders };
}
/** Returns the fragments of a Markdown page's headings, as GitHub makes them. */
const listHeadingIds = (page: string): string[] =>
  [...page.matchAll(/^#+ (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
const verbs = new Set(commands.map((command) => command.name));

interface Container {
  args: string[];
  image: string;
  envFrom: { configMapRef?: { name: string }; secretRef?: { name: string } }[];
  env?: { name: string; value: string }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: { readOnlyRootFilesystem?: boolean; allowPrivilegeEscalation?: boolean };
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
}
interface Pod {
  metadata: { labels: Record<string, string> };
  spec: {
    containers: Container[];
    securityContext: { runAsNonRoot?: boolean };
    enableServiceLinks?: boolean;
    volumes: { name: string; secret?: { secretName: string; optional?: boolean } }[];
    terminationGracePeriodSeconds?: number;
  };
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    template?: Pod;
    jobTemplate?: { spec: { template: Pod } };
    selector?: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    scaleTargetRef?: { name: string };
    podSelector?: { matchLabels: Record<string, string> };
  };
}

/** Settings that a deployment itself sets, with the reason. An operator's value must reach the service otherwise. */
const SET_BY_DEPLOYMENT: Readonly<Record<string, string>> = {
  DB_URL: 'names the database of the deployment',
  DB_SSLMODE: 'matches the certificates of the deployment',
  DB_SSLROOTCERT: 'names a certificate of the deployment',
  HOST: 'is that of the container',
  PORT: 'is probed by health checks',
  WORKER: 'differs between servers and the worker',
  WORKER_PORT: 'is probed by health checks',
};

/** Commands that need the owner of the database. No server does. */
const ownerCommands = new Set(['migrate', 'backup']);

interface ComposeService {
  command?: string[];
  env_file?: string[];
  image: string;
  build?: { dockerfile: string; context: string };
  environment?: Record<string, string>;
  depends_on?: Record<string, unknown> | string[];
  volumes?: string[];
  networks?: string[];
  read_only?: boolean;
}

const manifests = globSync('deploy/kubernetes/*.yaml', { cwd: root }).flatMap((file) =>
  parseAllDocuments(readFileSync(join(root, file), 'utf8')).map((document) => document.toJS() as Manifest),
);
const pods = manifests.flatMap(({ spec }) => spec?.template ?? spec?.jobTemplate?.spec.template ?? []);
const containers = pods.flatMap(({ spec }) => spec.containers);

describe('Kubernetes manifests', () => {
  test('contain manifests in every file, four of them with containers', () => {
    assert.equal(containers.length, 4);
    assert.ok(manifests.every(({ kind, metadata }) => kind && metadata.name));
  });

  test('use only setting and secret names that the service reads', () => {
    const names = [
      ...manifests.filter(({ kind }) => kind === 'ConfigMap').flatMap(({ data }) => Object.keys(data!)),
      ...containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
      ...collectSettingNames(read('kubernetes/secret.env.example')),
    ];
    assert.ok(names.length > 10);
    assert.deepEqual(
      names.filter((name) => !isSetting(name)),
      [],
    );
  });

  test('pass every setting of the settings and secrets to each container, and the owner to migration and backup', () => {
    for (const { envFrom, args, env = [] } of containers) {
      assert.deepEqual(envFrom, [{ configMapRef: { name: 'tally' } }, { secretRef: { name: 'tally' } }]);
      const names = env.map(({ name }) => name).filter((name) => !(name in SET_BY_DEPLOYMENT));
      assert.deepEqual(names, ownerCommands.has(args[0]!) ? ['DB_OWNER_URL'] : []);
    }
  });

  test('run containers as a numbered user on a read-only root with one image', () => {
    for (const { spec } of pods) assert.equal(spec.securityContext.runAsNonRoot, true);
    for (const { args, securityContext, volumeMounts } of containers) {
      assert.equal(securityContext.readOnlyRootFilesystem, true);
      assert.equal(securityContext.allowPrivilegeEscalation, false);
      assert.deepEqual(
        volumeMounts.filter(({ readOnly }) => readOnly !== true).map(({ mountPath }) => mountPath),
        args[0] === 'backup' ? ['/tmp', '/backups'] : ['/tmp'],
      );
    }
    assert.equal(new Set(containers.map(({ image }) => image)).size, 1);
    for (const { args } of containers) assert.ok(verbs.has(args[0]!), args[0]);
  });

  test('give every container the files that settings name, and each secret that they need a command of the page', () => {
    for (const { spec } of pods) {
      const files = spec.volumes.find(({ name }) => name === 'files');
      assert.deepEqual(files?.secret, { secretName: 'tally-files', optional: true });
      for (const { volumeMounts } of spec.containers)
        assert.ok(volumeMounts.some(({ name, mountPath }) => name === 'files' && mountPath === '/etc/tally'));
    }
    const page = read('kubernetes/README.md');
    const text = globSync('deploy/kubernetes/*.yaml', { cwd: root }).map(readText).join('\n');
    const named = [...text.matchAll(/(?:secretRef: \{ name|secretKeyRef: \{ name|secretName): ([\w-]+)/g)];
    const secrets = new Set(named.map((match) => match[1]!));
    assert.deepEqual([...secrets].sort(), ['tally', 'tally-files', 'tally-owner', 'tally-tls']);
    for (const secret of secrets) assert.match(page, new RegExp(`create secret \\w+ ${secret} `));
  });

  test('get no settings from the names of services in their namespace', () => {
    for (const { spec } of pods) assert.equal(spec.enableServiceLinks, false);
  });

  test('probe paths of the contract on the served port', () => {
    const paths = readFileSync(join(root, 'docs/reference/openapi.json'), 'utf8');
    const probes = containers.flatMap((container) =>
      (['startupProbe', 'livenessProbe', 'readinessProbe'] as const).flatMap((name) => container[name] ?? []),
    );
    assert.equal(probes.length, 6);
    for (const { httpGet } of probes) {
      assert.ok(paths.includes(`"${httpGet.path}"`), httpGet.path);
      assert.equal(httpGet.port, 'http');
    }
    const ports = containers.flatMap(({ ports = [], env = [] }) =>
      ports.map(({ containerPort }) => ({ containerPort, set: env.find(({ name }) => name === 'WORKER_PORT')?.value })),
    );
    assert.equal(ports.length, 2);
    for (const { containerPort, set } of ports)
      assert.equal(containerPort, Number(set ?? settings.shape.PORT.parse(undefined)));
  });

  test('match at least one pod with each selector', () => {
    const labels = pods.map(({ metadata }) => metadata.labels);
    const selectors = manifests.flatMap(({ kind, spec }) => {
      if (kind === 'Service') return [spec.selector as Record<string, string>];
      return [spec?.selector?.matchLabels, spec?.podSelector?.matchLabels].filter((labels) => labels !== undefined);
    });
    assert.ok(selectors.length >= 5);
    for (const selector of selectors)
      assert.ok(
        labels.some((podLabels) => Object.entries(selector).every(([name, value]) => podLabels[name] === value)),
        JSON.stringify(selector),
      );
  });

  test('give a pod more time to end than the service needs', () => {
    const timeout = settings.shape.SHUTDOWN_TIMEOUT_SECONDS.parse(undefined);
    for (const { spec } of pods)
      if (spec.terminationGracePeriodSeconds) assert.ok(spec.terminationGracePeriodSeconds > timeout + 10);
  });
});

describe.each(['compose.yaml', 'citus/compose.yaml'])('%s', (file) => {
  const text = read(file);
  const { services } = parse(text, { merge: true }) as { services: Record<string, ComposeService> };
  const ownServices = Object.entries(services).filter(([, { image }]) => image === '${TALLY_IMAGE:-tally:local}');

  test('runs commands of the program from one image on a read-only root', () => {
    assert.ok(ownServices.length > 1);
    for (const [, { command, build, read_only }] of ownServices) {
      assert.ok(verbs.has(command![0]!));
      assert.ok(existsSync(join(root, 'deploy', dirname(file), build!.context, build!.dockerfile)));
      assert.equal(read_only, true);
    }
  });

  test.each(Object.keys(settings.shape))('passes %s of compose.env to each service, or sets it by purpose', (name) => {
    for (const [service, { env_file, environment }] of ownServices) {
      assert.deepEqual(env_file, ['compose.env']);
      const value = environment![name];
      const isOwner = name === 'DB_OWNER_URL' && ownerCommands.has(service);
      assert.ok(
        value === undefined || value.startsWith(`\${${name}:`) || name in SET_BY_DEPLOYMENT || isOwner,
        service,
      );
    }
  });

  test('lists in its example the settings that it sets whatever compose.env says', () => {
    const names = ownServices.flatMap(([, { environment }]) =>
      Object.entries(environment!)
        .filter(([name, value]) => isSetting(name) && !value.startsWith(`\${${name}:`))
        .map(([name]) => name),
    );
    const example = read(`${file.replace('yaml', '')}env.example`);
    const [, listed = ''] = /^# Values for these have no effect, .*: (.+)$/m.exec(example) ?? [];
    assert.deepEqual(listed.split(', '), [...new Set(names)].sort());
  });

  test('hides the passwords of PostgreSQL from the services', () => {
    for (const [, { environment }] of ownServices)
      assert.deepEqual(
        Object.entries(environment!).filter(([name]) => !isSetting(name)),
        [
          ['POSTGRES_PASSWORD', ''],
          ['DB_AUTHENTICATOR_PASSWORD', ''],
        ],
      );
  });

  test('names dependencies and files that exist', () => {
    for (const { depends_on = [], volumes = [] } of Object.values(services)) {
      for (const name of Array.isArray(depends_on) ? depends_on : Object.keys(depends_on)) assert.ok(services[name]);
      for (const volume of volumes.filter((each) => each.startsWith('./')))
        assert.ok(existsSync(join(root, 'deploy', dirname(file), volume.split(':')[0]!)), volume);
    }
  });

  test('gives the database owner only to commands that need it', () => {
    for (const [name, { command, environment }] of ownServices)
      assert.equal('DB_OWNER_URL' in environment!, ownerCommands.has(command![0]!), name);
  });

  test('builds no image over a published one', () => {
    const pages = [text, readText('docs/how-to/deploy.md')];
    const commands = pages.flatMap((page) => page.match(/docker compose [^`\n]* up [^`\n]*/g) ?? []);
    assert.ok(commands.length > 0);
    for (const command of commands) assert.doesNotMatch(command, /--build/);
  });

  test('lists the used variables in its example, and only these or settings', () => {
    const used = [...text.matchAll(/\$\{([A-Z_]+)/g)].map((match) => match[1]!);
    const listed = collectSettingNames(read(`${file.replace('yaml', '')}env.example`));
    assert.deepEqual(
      used.filter((name) => !listed.includes(name)),
      [],
    );
    assert.deepEqual(
      listed.filter((name) => !used.includes(name) && !isSetting(name)),
      [],
    );
  });
});

test('the certificates of a cluster are readable by every account, and their keys by the owner alone', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-certificates-'));
  t.onTestFinished(() => rmSync(folder, { recursive: true }));
  const commands = listCommands(readText('docs/how-to/distribute-by-member.md'));
  const run = (part: string): void => {
    const command = commands.find((each) => each.includes(part))!;
    const here = command.replace('deploy/', `'${root}'/deploy/`).replace('/etc/tally', `'${folder}'/etc`);
    execFileSync('sh', ['-ec', here], { cwd: folder, stdio: 'pipe' });
  };
  run('certificates.sh');
  run('install ');
  const readMode = (path: string): number => statSync(join(folder, path)).mode & 0o777;
  assert.deepEqual(
    ['ca.crt', 'tls.crt', 'tls.key'].map((name) => readMode(`certificates/worker-1.internal/${name}`)),
    [0o644, 0o644, 0o600],
  );
  assert.equal(readMode('etc/certificate/ca.crt'), 0o644);
});

test('pages write settings as every reader of such files takes them, without quotes', () => {
  const lines = globSync('docs/how-to/*.md', { cwd: root }).flatMap(
    (page) => readText(page).match(/^ *[A-Z][A-Z_]+=.*/gm) ?? [],
  );
  assert.ok(lines.length > 8);
  assert.deepEqual(
    lines.filter((line) => /=["']/.test(line)),
    [],
  );
});

test('the cluster shows each key to its own service, and workers to no client', () => {
  const { services, networks } = parse(read('citus/compose.yaml'), { merge: true }) as {
    services: Record<string, ComposeService>;
    networks: Record<string, { internal?: boolean } | null>;
  };
  const users = (volume: string) =>
    Object.entries(services)
      .filter(([, { volumes = [] }]) => volumes.some((each) => each.startsWith(`${volume}:`)))
      .map(([name]) => name);
  assert.deepEqual(users('authority'), ['certificates']);
  assert.deepEqual(users('coordinator-certificate'), ['certificates', 'coordinator', 'add-servers']);
  for (const worker of ['worker-1', 'worker-2'])
    assert.deepEqual(users(`${worker}-certificate`), ['certificates', worker]);
  assert.deepEqual(users('owner-certificate'), ['certificates', 'migrate']);
  assert.deepEqual(users('client-certificate'), ['certificates', 'server']);
  assert.equal(networks['servers']?.internal, true);
  const inNetwork = Object.entries(services).filter(([, service]) => service.networks?.includes('servers'));
  assert.deepEqual(
    inNetwork.map(([name]) => name),
    ['coordinator', 'worker-1', 'worker-2', 'add-servers'],
  );
});

/** Settings that each deployment gives by itself, by its file. */
const presets: Readonly<Record<string, string[]>> = {
  ...Object.fromEntries(
    ['compose.yaml', 'citus/compose.yaml'].map((file) => {
      const { services } = parse(read(file), { merge: true }) as { services: Record<string, ComposeService> };
      return [file, Object.values(services).flatMap(({ environment = {} }) => Object.keys(environment))];
    }),
  ),
  kubernetes: [
    ...manifests.filter(({ kind }) => kind === 'ConfigMap').flatMap(({ data }) => Object.keys(data!)),
    ...containers.flatMap(({ env = [] }) => env.map(({ name }) => name)),
  ],
  Dockerfile: [...read('Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) => listNames(line!)),
  systemd: globSync('deploy/systemd/*.service', { cwd: root }).flatMap((file) =>
    [...readText(file).matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) => listNames(line!)),
  ),
};

/** Returns the names in `NAME=value NAME=value`. */
function listNames(line: string): string[] {
  return [...line.matchAll(/([A-Z_]+)=/g)].map((match) => match[1]!);
}

test.each(Object.keys(presets))('a misspelled setting is named beside the one that %s gives', (deployment) => {
  const names = [...new Set(presets[deployment])].filter((name) => name in settings.shape);
  assert.ok(names.length > 0);
  for (const name of names) {
    const misspelled = name.includes('_') ? name.replace('_', '') : `${name}S`;
    assert.throws(() => loadConfig({ [name]: 'given', [misspelled]: 'meant' }), {
      message: new RegExp(`\\b${misspelled} is unknown: set ${name} instead, or remove it\\.`),
    });
  }
});

test('compose and Kubernetes pass every operator’s token that .env.example lists', () => {
  const tokens = Object.keys(core).filter((name) => name.endsWith('_TOKEN'));
  assert.ok(tokens.includes('OPERATOR_TOKEN'));
  for (const file of ['compose.env.example', 'citus/compose.env.example', 'kubernetes/secret.env.example'])
    assert.deepEqual(
      tokens.filter((name) => !collectSettingNames(read(file)).includes(name)),
      [],
      file,
    );
});

describe('image and unit', () => {
  test('runs as a numbered user, starts nothing as root and has a health check', () => {
    const stages = read('Dockerfile').split(/^FROM /m);
    const last = stages.at(-1)!;
    assert.match(last, /^USER 10001:10001$/m);
    assert.match(last, /^HEALTHCHECK /m);
    assert.match(last, /^ENTRYPOINT \["tini", "--", /m);
    for (const name of last.match(/^ENV (.*)$/m)![1]!.matchAll(/([A-Z_]+)=/g))
      if (name[1] !== 'NODE_ENV') assert.ok(isSetting(name[1]!), name[1]);
    for (const stage of stages.filter((each) => /\bnpm ci\b/.test(each)))
      assert.match(
        stage,
        /^COPY [^\n]*\bpackages\/token-counter\/package\.json [^]*\bnpm ci\b/m,
        'npm ci links workspaces',
      );
    // Each stage starts from a base with a fixed version or from an earlier stage.
    assert.match(stages[0]!, /^ARG BASE=docker\.io\/library\/node:\d+\.\d+\.\d+-/m);
    assert.doesNotMatch(stages.join(''), /^ADD |https?:\/\/(?!127\.0\.0\.1)/m);
  });

  test('start a command of the program and give it more time to end than it needs', () => {
    for (const file of globSync('deploy/systemd/*.service', { cwd: root })) {
      const unit = readFileSync(join(root, file), 'utf8');
      const [, verb] = /^ExecStart=\S+ bin\/tally\.mjs (\w+)/m.exec(unit)!;
      assert.ok(verbs.has(verb!), basename(file));
      const stop = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]);
      assert.ok(stop > settings.shape.SHUTDOWN_TIMEOUT_SECONDS.parse(undefined));
    }
  });

  test('read every setting of one file in each unit', () => {
    for (const file of globSync('deploy/systemd/*.service', { cwd: root }))
      assert.match(
        readFileSync(join(root, file), 'utf8'),
        /^EnvironmentFile=\/etc\/tally\/tally\.env$/m,
        basename(file),
      );
  });

  test('give the owner of the database to the unit of backups alone, from a file of its own', () => {
    for (const file of globSync('deploy/systemd/*.service', { cwd: root }))
      assert.equal(
        readText(file).includes('EnvironmentFile=-/etc/tally/owner.env'),
        basename(file) === 'tally-backup.service',
        file,
      );
  });

  test('start again without limit when a dependency is unavailable, and never after a wrong setting', () => {
    const units = globSync('deploy/systemd/*.service', { cwd: root });
    assert.ok(units.length >= 2);
    for (const file of units) {
      const lines = readFileSync(join(root, file), 'utf8').split('\n');
      assert.ok(lines.includes('StartLimitIntervalSec=0'), basename(file));
      assert.ok(lines.includes('Restart=on-failure'), basename(file));
      assert.ok(lines.includes(`RestartPreventExitStatus=${exitCode.usage}`), basename(file));
    }
  });

  test('runs commands under systemd as the user, in the folder and with the settings of its unit', () => {
    const script = `${read('systemd/tally')}${readText('cli/run-as-service.ts')}`;
    const unit = read('systemd/tally.service');
    for (const [pattern, used] of [
      [/^User=(.+)$/m, /runuser -u (\S+) /],
      [/^WorkingDirectory=(.+)$/m, /^cd "\$\{TALLY_FOLDER:-(.+)\}"$/m],
      [/^EnvironmentFile=(.+)$/m, /^exec .*run-as-service\.ts (\S+)/m],
      [/ DATA_DIR=(\S+)/, /^exec .*owner\.env (\S+) "\$@"$/m],
    ] as const)
      assert.equal(used.exec(script)?.[1], pattern.exec(unit)![1]);
  });

  describe('the command under systemd', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'tally-command-'));
      mkdirSync(join(folder, 'opt/node_modules/.bin'), { recursive: true });
      mkdirSync(join(folder, 'opt/bin'));
      mkdirSync(join(folder, 'etc'));
      symlinkSync(process.execPath, join(folder, 'opt/node_modules/.bin/node'));
      for (const part of ['cli', 'src', 'package.json']) symlinkSync(join(root, part), join(folder, 'opt', part));
      // In place of the change of the user.
      writeFileSync(join(folder, 'runuser'), '#!/bin/sh\nshift 6\necho "$@" && env\n', { mode: 0o755 });
      writeFileSync(join(folder, 'etc/tally.env'), 'DATA_DIR=/srv/tally\n');
      const script = read('systemd/tally').replaceAll('/opt/tally', join(folder, 'opt'));
      writeFileSync(join(folder, 'tally'), script.replaceAll('/etc/tally', join(folder, 'etc')));
    });
    afterEach(() => rmSync(folder, { recursive: true }));
    const start = (argv: string[], env: Record<string, string> = {}) =>
      spawnSync('sh', [join(folder, 'tally'), ...argv], {
        env: { PATH: `${folder}:${process.env['PATH']}`, ...env },
        encoding: 'utf8',
      });
    /** Returns the arguments of the program, and its environment. */
    const run = (argv: string[], env: Record<string, string> = {}) => {
      const { stdout, stderr, status } = start(argv, env);
      assert.equal(status, 0, stderr);
      const [command, ...lines] = stdout.split('\n');
      return { command, env: new Map(lines.map((line) => line.split(/=(.*)/s) as [string, string])) };
    };

    test('uses the data directory of its caller, else that of the settings, else that of the unit', () => {
      assert.equal(run(['keys', 'list'], { DATA_DIR: '/new' }).env.get('DATA_DIR'), '/new');
      assert.equal(run(['keys', 'list'], { DATA_DIR: '' }).env.get('DATA_DIR'), '/srv/tally');
      writeFileSync(join(folder, 'etc/tally.env'), '');
      assert.equal(run(['keys', 'list']).env.get('DATA_DIR'), '/var/lib/tally');
    });

    test('reads the settings as systemd does', () => {
      const text = '# DB_URL=none\n  SMTP_URL = smtp://ada:a#b@mail\nMAIL_FROM="Tally # <a@example.com>"\nexport A=b\n';
      writeFileSync(join(folder, 'etc/tally.env'), text);
      const { command, env } = run(['keys', 'create', '--name', 'two words']);
      assert.equal(command, 'keys create --name two words');
      assert.equal(env.get('SMTP_URL'), 'smtp://ada:a#b@mail');
      assert.equal(env.get('MAIL_FROM'), 'Tally # <a@example.com>');
      assert.deepEqual([env.get('DB_URL'), env.get('A')], [undefined, undefined]);
    });

    test('passes the owner of the database only to commands that need it', () => {
      assert.equal(run(['migrate']).env.get('DB_OWNER_URL'), undefined, 'without the file');
      writeFileSync(join(folder, 'etc/owner.env'), 'DB_OWNER_URL="postgres://tally:a=b@db/tally"\n');
      for (const command of ['migrate', 'backup', 'restore', 'doctor'])
        assert.equal(run([command]).env.get('DB_OWNER_URL'), 'postgres://tally:a=b@db/tally', command);
      assert.equal(run(['keys', 'list']).env.get('DB_OWNER_URL'), undefined);
    });

    test('ends with 2 and a sentence when the settings cannot be read', () => {
      rmSync(join(folder, 'etc/tally.env'));
      const { status, stderr } = start(['keys', 'list']);
      assert.equal(status, exitCode.usage);
      assert.match(stderr, /^tally: \S+\/etc\/tally\.env cannot be read \(ENOENT\): run this command as root, .*\n$/);
    });
  });

  test('are stopped before a restore moves the data that they use', () => {
    const page = readText('docs/how-to/back-up-and-upgrade.md');
    const [block] = /^systemctl stop [^]*?(?=^```)/m.exec(page)!;
    const users = globSync('deploy/systemd/*.service', { cwd: root }).filter((file) =>
      /=.*\/var\/lib\/tally( |$)/m.test(readText(file)),
    );
    assert.equal(users.length, 2);
    for (const file of users) {
      const stop = block.indexOf(`systemctl stop ${basename(file, '.service')}\n`);
      assert.ok(stop >= 0 && stop < block.indexOf('mv /var/lib/tally '), file);
    }
  });

  test('keeps the socket of the embedded database where commands outside its unit reach it', () => {
    const unit = read('systemd/tally.service');
    const [, folder] = /^RuntimeDirectory=(\w+)$/m.exec(unit)!;
    assert.match(unit, /^PrivateTmp=yes$/m);
    assert.match(unit, new RegExp(`^Environment=.* TMPDIR=/run/${folder}$`, 'm'));
  });

  test.for([
    { program: 'haproxy', args: ['-c', '-f', 'deploy/compose.haproxy.cfg'] },
    { program: 'systemd-analyze', args: ['verify', ...globSync('deploy/systemd/*.service', { cwd: root })] },
  ])('pass the checks of $program', ({ program, args }, t) => {
    skipWithout(t, program);
    const { stdout, stderr } = spawnSync(program, args, { cwd: root, encoding: 'utf8', env: { PATH: PROGRAM_PATH } });
    // The server names and the program exist only in a real installation.
    const errorLines = `${stdout}${stderr}`.split('\n').filter((line) => /\[ALERT\]|\.service:/.test(line));
    assert.deepEqual(
      errorLines.filter((line) => !line.includes('/opt/tally/')),
      [],
    );
  });
});

test('both files of haproxy have the same timeouts, checks and error', () => {
  const [own, compose] = ['haproxy.cfg', 'compose.haproxy.cfg'].map(
    (file) => /^defaults\n(?: .*\n|\n)+/m.exec(read(file))![0],
  );
  assert.equal(own, compose);
});

describe('monitoring', () => {
  const alerts = parse(read('monitoring/alerts.yaml')) as {
    groups: { rules: { record?: string; alert?: string; expr: string; annotations?: object }[] }[];
  };
  const rules = alerts.groups.flatMap((group) => group.rules);
  const dashboard = JSON.parse(read('monitoring/dashboard.json')) as { panels: { targets: { expr: string }[] }[] };
  const expressions = [...rules, ...dashboard.panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);

  test('use only metrics of the service in alerts and dashboard', () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const ownMetrics = globSync('src/**/*.ts', { cwd: root })
      .filter((file) => !file.endsWith('.test.ts'))
      .flatMap((file) => [...readFileSync(join(root, file), 'utf8').matchAll(/name: '([a-z_]+)'/g)])
      .map((match) => match[1]!);
    const knownMetrics = new Set([
      ...ownMetrics,
      ...registry.getMetricsAsArray().map(({ name }) => name),
      'up',
      'vector',
    ]);
    for (const { record } of rules) if (record) knownMetrics.add(record);
    const named = expressions.flatMap((expr) => expr.match(/\b(?:up|[a-z]+[_:][a-z0-9_:]+)(?=[{ ]|$)/g) ?? []);
    assert.ok(named.length > 30);
    assert.deepEqual(
      [...new Set(named)].filter(
        (name) => !knownMetrics.has(name) && !knownMetrics.has(name.replace(/_(bucket|count)$/, '')),
      ),
      [],
    );
  });

  test('describe a remedy for each alert and test it in both directions', () => {
    const tests = read('monitoring/alerts.test.yaml');
    for (const { alert, annotations } of rules) {
      if (!alert) continue;
      assert.deepEqual(Object.keys(annotations!), ['summary', 'action']);
      assert.ok(tests.includes(`alertname: ${alert}`), alert);
    }
  });

  test('pass promtool as the configuration that loads them', { tags: ['slow'] }, (t) => {
    skipWithout(t, 'promtool');
    const folder = mkdtempSync(join(tmpdir(), 'tally-prometheus-'));
    t.onTestFinished(() => rmSync(folder, { recursive: true }));
    const commands = listCommands(readText('docs/how-to/monitor.md')).map((command) =>
      command.replaceAll('/etc/prometheus', folder).replace('chown prometheus', 'chown "$(id -u)"'),
    );
    for (const part of ['cp deploy/monitoring/prometheus.yaml', 'promtool check config'])
      execFileSync('sh', ['-ec', commands.find((command) => command.startsWith(part))!], {
        cwd: root,
        env: { PATH: PROGRAM_PATH, METRICS_TOKEN: 'a token of Prometheus' },
        stdio: 'pipe',
      });
  });

  test('pass promtool with their test cases', { tags: ['slow'] }, (t) => {
    skipWithout(t, 'promtool');
    const folder = join(root, 'deploy/monitoring');
    const { status, stderr } = spawnSync('promtool', ['test', 'rules', 'alerts.test.yaml'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
});

describe('release', () => {
  test('contains the files that a server runs, without tests or screen sources', () => {
    const files = listReleaseFiles();
    for (const expected of [
      'bin/tally.mjs',
      'cli/main.ts',
      'src/main.ts',
      'src/ui/shell/route-paths.ts',
      'packages/token-counter/src/index.ts',
      'docs/how-to/monitor.md',
      'deploy/monitoring/alerts.yaml',
      'deploy/nginx.conf',
      'packages/token-counter/data/vocabulary-v3.js',
      'package-lock.json',
    ])
      assert.ok(files.includes(expected), expected);
    assert.deepEqual(
      files.filter((file) => /\.test\.[jt]s|\.tsx$|^test\/|^data\/|\.env$/.test(file)),
      [],
    );
  });

  test('contains every module that one of its files imports', () => {
    const files = new Set(listReleaseFiles());
    const missing = [...files]
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)]
          .map((match) => join(file, '..', match[1]!))
          .filter((target) => !files.has(target))
          .map((target) => `${file}: ${target}`),
      );
    assert.deepEqual(missing, []);
  });

  test('contains the target of every relative link and heading in its pages', () => {
    const { files, folders } = listReleasePaths();
    const links = [...files]
      .filter((file) => file.endsWith('.md'))
      .flatMap((file) =>
        [...readText(file).matchAll(/(?:\]\(|(?:src|srcset|href)=")([^)"\s]+)/g)]
          .map((match) => match[1]!)
          .filter((link) => !/^[a-z]+:/.test(link))
          .map((link) => ({ file, link })),
      );
    assert.ok(links.length > 150);
    const broken = links.filter(({ file, link }) => {
      const [path = '', heading] = link.split('#');
      const target = path === '' ? file : join(dirname(file), path).replace(/\/$/, '');
      if (!files.has(target) && !folders.has(target)) return true;
      return heading !== undefined && target.endsWith('.md') && !listHeadingIds(readText(target)).includes(heading);
    });
    assert.deepEqual(broken, []);
  });

  test('contains every page and deployment file that its files name', () => {
    const { files, folders } = listReleasePaths();
    const named = [...files]
      .filter(
        (file) => /\.(md|ts|mjs|sql|ya?ml|service|conf|cfg|example|json)$/.test(file) && !/openapi|-lock/.test(file),
      )
      .flatMap((file) =>
        [...readText(file).matchAll(/(?<![\w./-])((?:docs|deploy)\/[\w./-]*\w)/g)].map((match) => ({
          file,
          path: match[1]!.replace(/\/$/, ''),
        })),
      );
    assert.ok(named.length > 20);
    assert.deepEqual(
      named.filter(
        ({ path }) => !files.has(path) && !folders.has(path) && !/^deploy\/(citus\/)?compose\.env$/.test(path),
      ),
      [],
    );
  });

  test('names no command that asks the package registry for the program', () => {
    // Outside the folder npx would download a package of that name, which is somebody else's.
    const files = [...listReleaseFiles(), '.github/ISSUE_TEMPLATE/wrong-count.yml'];
    assert.deepEqual(
      files.filter(
        (file) =>
          /\.(md|ts|mjs|ya?ml|service|example|json)$/.test(file) && /npx (--?\S+ )*tally\b/.test(readText(file)),
      ),
      [],
    );
  });

  interface Lock {
    packages: Record<
      string,
      { version: string; engines?: { node?: string } } & Record<'dev' | 'hasInstallScript', boolean>
    >;
  }
  const readLock = () => JSON.parse(readText('package-lock.json')) as Lock;

  test('supports the pinned Node in every library, and the machine’s Node in those with install scripts', () => {
    const { packages } = readLock();
    const pinned = packages['node_modules/node']!.version;
    const { node: supportedNode } = packages['']!.engines as { node: string };
    const needs = Object.entries(packages).flatMap(([path, { dev, engines, hasInstallScript }]) =>
      dev || !engines?.node ? [] : [{ path, node: engines.node, hasInstallScript }],
    );
    assert.ok(needs.length > 100);
    // The program runs on the pinned Node, and npm runs the scripts of an installation on the machine's own.
    const incompatible = needs.filter(
      ({ node, hasInstallScript }) =>
        !(hasInstallScript ? semver.subset(supportedNode, node) : semver.satisfies(pinned, node)),
    );
    assert.deepEqual(incompatible, []);
  });

  /** Runs `npm ci --omit=dev` in a release with this lock file, without writing packages. */
  function runDryInstallation(lock: object, ...options: string[]) {
    const folder = mkdtempSync(join(tmpdir(), 'tally-release-'));
    try {
      for (const file of listReleaseFiles().filter((name) => /(^|\/)(package\.json|\.npmrc)$/.test(name)))
        cpSync(join(root, file), join(folder, file), { recursive: true });
      writeFileSync(join(folder, 'package.json'), createReleaseManifest(readText('package.json')));
      writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
      return spawnSync('npm', ['ci', '--omit=dev', '--dry-run', '--ignore-scripts', '--offline', ...options], {
        cwd: folder,
        encoding: 'utf8',
        shell: process.platform === 'win32',
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }

  test('installs its workspaces when npm ci omits development dependencies', () => {
    const { status, stdout, stderr } = runDryInstallation(readLock());
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^add @tally\/token-counter \d/m);
  });

  test('prints no warning when a package needs a newer Node than the one that runs npm', () => {
    const lock = readLock();
    lock.packages['node_modules/fastify']!.engines = { node: '>=999' };
    const [shown, hidden] = [['--loglevel=warn'], []].map((options) => runDryInstallation(lock, ...options));
    assert.match(shown!.stderr, /EBADENGINE/);
    assert.deepEqual([hidden!.status, hidden!.stderr], [0, '']);
  });

  test('runs no build script at installation', () => {
    const manifest = JSON.parse(createReleaseManifest(readFileSync(join(root, 'package.json'), 'utf8'))) as {
      scripts: Record<string, string>;
    };
    assert.deepEqual(Object.keys(manifest.scripts), ['start']);
  });
});
