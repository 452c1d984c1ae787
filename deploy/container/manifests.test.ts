import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { apiEnvironment } from '../../server/src/platform/api-flags.ts';
import { readConfig } from '../../server/src/platform/config.ts';
import { readDeploymentSettings } from '../../testing/deployment-settings.ts';
import { readCodeBlocks } from '../../testing/pages.ts';
import { findUnknownKeys, type Shape } from '../../testing/shapes.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(import.meta.dirname, file), 'utf8');
const settings = new Set(
  [...readFileSync(path.join(root, 'README.md'), 'utf8').matchAll(/^\| `([A-Z_]+)`/gm)].map(
    ([, name]) => name,
  ),
);
/** Of providers, whose settings are on a page of their own. */
const ofProviders = ['SMTP_URL', 'EMAIL_PROVIDER', 'SMS_PROVIDER', 'VOICE_PROVIDER'];
const isSetting = (name: string) =>
  settings.has(name) || ofProviders.includes(name) || name in apiEnvironment;

/** What a process starts is a file of the product. */
const startsFile = (command: readonly string[]) =>
  command.some((word) => /^server\//.test(word) && existsSync(path.join(root, word)));

interface Service {
  readonly image: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly deploy?: {
    readonly replicas: number;
    readonly resources: { readonly limits: { readonly memory: string } };
  };
}

const service: Shape = {
  ...{ image: '', restart: '', read_only: '', cap_drop: [''], security_opt: [''], tmpfs: [''] },
  ...{
    stop_grace_period: '',
    networks: [''],
    volumes: [''],
    ports: [''],
    command: [''],
    shm_size: '',
  },
  environment: { '*': '' },
  depends_on: { '*': { condition: '' } },
  healthcheck: { test: [''], interval: '', timeout: '', retries: '' },
  deploy: { replicas: '', resources: { limits: { cpus: '', memory: '' } } },
};
const compose: Shape = {
  ...{ name: '', 'x-beacon': service, 'x-settings': { '*': '' }, 'x-node': '' },
  services: { '*': service },
  networks: { '*': { ipam: { config: [{ subnet: '' }] } } },
  volumes: { '*': {} },
};

const selector: Shape = { matchLabels: { app: '' } };
const probe: Shape = {
  httpGet: { path: '', port: '' },
  periodSeconds: '',
  timeoutSeconds: '',
  failureThreshold: '',
};
const pod: Shape = {
  metadata: { labels: { app: '' } },
  spec: {
    ...{ restartPolicy: '', automountServiceAccountToken: '', terminationGracePeriodSeconds: '' },
    securityContext: {
      runAsNonRoot: '',
      runAsUser: '',
      runAsGroup: '',
      fsGroup: '',
      seccompProfile: { type: '' },
    },
    topologySpreadConstraints: [
      { maxSkew: '', topologyKey: '', whenUnsatisfiable: '', labelSelector: selector },
    ],
    containers: [
      {
        ...{
          name: '',
          image: '',
          command: [''],
          env: [{ name: '', value: '' }],
          envFrom: [{ secretRef: { name: '' } }],
        },
        ...{ startupProbe: probe, readinessProbe: probe, livenessProbe: probe },
        lifecycle: { preStop: { exec: { command: [''] } } },
        ports: [{ name: '', containerPort: '' }],
        securityContext: {
          allowPrivilegeEscalation: '',
          readOnlyRootFilesystem: '',
          capabilities: { drop: [''] },
        },
        resources: { requests: { cpu: '', memory: '' }, limits: { memory: '' } },
        volumeMounts: [{ name: '', mountPath: '' }],
      },
    ],
    volumes: [{ name: '', emptyDir: {} }],
  },
};
const controller: Shape = { replicas: '', selector, template: pod };
/** By kind, with the version of its API: what stands in `spec`. */
const kinds: Readonly<Record<string, Shape>> = {
  'batch/v1 Job': { backoffLimit: '', activeDeadlineSeconds: '', template: pod },
  'apps/v1 Deployment': {
    ...controller,
    strategy: { type: '', rollingUpdate: { maxSurge: '', maxUnavailable: '' } },
  },
  'apps/v1 StatefulSet': {
    ...{ ...controller, serviceName: '' },
    volumeClaimTemplates: [
      {
        metadata: { name: '' },
        spec: { accessModes: [''], resources: { requests: { storage: '' } } },
      },
    ],
  },
  'policy/v1 PodDisruptionBudget': { minAvailable: '', selector },
  'v1 Service': { selector: { app: '' }, ports: [{ name: '', port: '', targetPort: '' }] },
};

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas?: number;
    readonly minAvailable?: number;
    readonly selector?: { readonly app?: string; readonly matchLabels?: { readonly app: string } };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly strategy?: { readonly rollingUpdate: { readonly maxUnavailable: number } };
    readonly template?: {
      readonly metadata: { readonly labels: { readonly app: string } };
      readonly spec: {
        readonly securityContext: object;
        readonly containers: readonly Container[];
      };
    };
  };
}
interface Container {
  readonly command: readonly string[];
  readonly env?: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly { readonly secretRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly securityContext: object;
  readonly resources: object;
  readonly readinessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } };
  readonly livenessProbe?: { readonly httpGet: { readonly path: string; readonly port: string } };
}

const readManifests = () =>
  parseAllDocuments(read('kubernetes/ballot-beacon.yaml')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as Manifest;
  });

test('the manifests have only keys that their kinds have, and a misspelled one is found', () => {
  const check = (manifests: readonly Manifest[]) =>
    manifests.flatMap((manifest) => {
      const spec = kinds[`${manifest.apiVersion} ${manifest.kind}`];
      if (spec === undefined) return [`${manifest.apiVersion} ${manifest.kind}`];
      const whole: Shape = {
        apiVersion: '',
        kind: '',
        metadata: { name: '', namespace: '' },
        spec,
      };
      return findUnknownKeys(manifest, whole);
    });
  const manifests = readManifests();
  expect(manifests).toHaveLength(8);
  expect(check(manifests)).toEqual([]);
  const text = JSON.stringify(manifests).replace('"readinessProbe"', '"readynessProbe"');
  expect(check(JSON.parse(text) as Manifest[])).toEqual([
    'spec.template.spec.containers.0.readynessProbe',
  ]);
});

test('each container runs what the product has, as no root, in a tree that nobody writes to, within limits', () => {
  for (const { metadata, spec } of readManifests().filter(({ spec: { template } }) => template)) {
    const { name } = metadata;
    const { securityContext, containers } = spec.template?.spec ?? { containers: [] };
    expect(securityContext, name).toMatchObject({ runAsNonRoot: true });
    for (const container of containers) {
      expect(startsFile(container.command), name).toBe(true);
      expect(container.env?.map((one) => one.name).filter((one) => !isSetting(one)) ?? []).toEqual(
        [],
      );
      expect(container).toMatchObject({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        resources: {
          requests: { cpu: expect.any(String) },
          limits: { memory: expect.any(String) },
        },
      });
    }
  }
});

test('each process has the logins that it needs from the files of the page, and no other', () => {
  const settings = readDeploymentSettings();
  const logins = readManifests().flatMap(({ metadata, spec }) =>
    (spec.template?.spec.containers ?? []).map(({ envFrom = [] }) => [
      metadata.name,
      ...envFrom
        .map(({ secretRef }) => secretRef.name.replace('beacon-api', 'beacon'))
        .flatMap((name) => settings.get(`/etc/ballot-${name}.env`) ?? [`nothing in ${name}`])
        .filter((one) => /^(DATABASE_|nothing)/.test(one)),
    ]),
  );
  const ofVoters = ['DATABASE_API_URL', 'DATABASE_INTAKE_URL'];
  expect(logins).toEqual([
    ['beacon-migrate', 'DATABASE_URL'],
    ['beacon-api', ...ofVoters],
    ['beacon-console', ...ofVoters, 'DATABASE_OFFICE_URL'],
    ['beacon-worker', 'DATABASE_WORKER_URL'],
  ]);
});

test('each process that visitors reach believes the proxy of the cluster, which is on no machine of its own as the page’s is', () => {
  const serving = readManifests().flatMap(({ spec }) =>
    (spec.template?.spec.containers ?? []).filter(({ command }) =>
      command.includes('server/src/api.ts'),
    ),
  );
  expect(serving).toHaveLength(2);
  for (const { env = [] } of serving) {
    const { value } = env.find(({ name }) => name === 'TRUST_PROXY') ?? {};
    // Where the ingress of most clusters is.
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toBe('uniquelocal');
  }
});

test('a secret gets the values of the page’s files without the quotation marks that kubectl would keep', () => {
  const [, command = ''] =
    /^# +for .*\n(?:# .*\n)*?# +(sed .*?) \|/m.exec(read('kubernetes/ballot-beacon.yaml')) ?? [];
  const files = readCodeBlocks('operations/deployment.md').filter(({ text }) =>
    /^# \/etc\/\S+\.env$/m.test(text),
  );
  expect(files).toHaveLength(4);
  const make = (input: string) =>
    execFileSync('sh', ['-c', command.replace(/ \S+$/, '')], { input, encoding: 'utf8' });
  for (const { text } of files) {
    const output = make(text);
    expect(output).toMatch(/^DATABASE_\w+=postgresql:/m);
    expect(output).not.toMatch(/['"]/);
  }
  // Those of a value in JSON are part of it.
  expect(make(`OFFICE_PROVIDERS='[{"name": "County directory"}]'\n`)).toBe(
    'OFFICE_PROVIDERS=[{"name": "County directory"}]\n',
  );
});

test('each process that serves is asked for its health where it answers, and keeps one while nodes are drained', () => {
  const manifests = readManifests();
  const serving = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'StatefulSet');
  for (const { metadata, spec } of serving)
    for (const { ports = [], readinessProbe, livenessProbe } of spec.template?.spec.containers ??
      []) {
      const names = ports.map(({ name }) => name);
      expect(readinessProbe?.httpGet.path, metadata.name).toBe('/readyz');
      expect(livenessProbe?.httpGet.path, metadata.name).toBe('/healthz');
      expect(names).toContain(readinessProbe?.httpGet.port);
      expect(names).toContain(livenessProbe?.httpGet.port);
    }
  const replicasOf = new Map(
    serving.map(({ spec }) => [spec.selector?.matchLabels?.app, spec.replicas]),
  );
  const kept = manifests.filter(({ kind }) => kind === 'PodDisruptionBudget');
  for (const { spec } of kept)
    expect(replicasOf.get(spec.selector?.matchLabels?.app)).toBeGreaterThan(spec.minAvailable ?? 0);
  // Those of which there are several are kept, also while they are replaced.
  const several = serving.filter(({ spec }) => (spec.replicas ?? 0) > 1);
  expect(kept.map(({ spec }) => spec.selector?.matchLabels?.app)).toEqual(
    several.map(({ metadata }) => metadata.name),
  );
  for (const { spec, metadata } of several)
    expect(spec.strategy?.rollingUpdate.maxUnavailable, metadata.name).toBe(0);
  for (const { spec, metadata } of serving)
    expect(spec.selector?.matchLabels?.app, metadata.name).toBe(spec.template?.metadata.labels.app);
  for (const { spec, metadata } of manifests.filter(({ kind }) => kind === 'Service')) {
    expect(replicasOf.has(spec.selector?.app), metadata.name).toBe(true);
    expect(spec.selector?.app).toBe(metadata.name);
    expect(spec.ports?.map(({ targetPort }) => targetPort)).toEqual(['http']);
  }
});

test('each process listens on the ports that its manifest names', () => {
  const [, ofImage = ''] = /^ENV (.*)$/m.exec(read('Containerfile')) ?? [];
  const image = Object.fromEntries(ofImage.split(' ').map((word) => word.split('=', 2)));
  for (const { metadata, spec } of readManifests())
    for (const { command, env = [], ports = [] } of spec.template?.spec.containers ?? []) {
      const own = Object.fromEntries(env.map(({ name, value }) => [name, value]));
      const isWorker = command.includes('server/src/worker.ts');
      const { PORT: http, WORKER_PORT: ofWorker, HEALTH_PORT } = { ...image, ...own };
      const listens = { http, health: isWorker ? ofWorker : HEALTH_PORT };
      for (const { name, containerPort } of ports)
        expect(Number(listens[name as keyof typeof listens]), metadata.name).toBe(containerPort);
    }
});

test('the compose file has the whole site, from images that the environment names', () => {
  const file = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
  };
  expect(findUnknownKeys(file, compose)).toEqual([]);
  const { services } = file;
  expect(Object.keys(services)).toEqual(
    expect.arrayContaining(['database', 'migrate', 'api', 'worker', 'console', 'proxy', 'mail']),
  );
  for (const [name, { image, depends_on: needs = [], deploy }] of Object.entries(services)) {
    expect(image, name).toMatch(/^\$\{[A-Z_]+:\?.*\}$/);
    const needed = Array.isArray(needs) ? (needs as readonly string[]) : Object.keys(needs);
    expect(
      needed.filter((one) => services[one] === undefined),
      name,
    ).toEqual([]);
    if (name === 'api' || name === 'worker') expect(deploy?.replicas).toBe(2);
  }
  for (const name of ['migrate', 'api', 'worker', 'console']) {
    const one = services[name];
    expect(one, name).toMatchObject({ read_only: true, cap_drop: ['ALL'] });
    expect(startsFile(one?.command ?? []), name).toBe(true);
    expect(
      Object.keys(one?.environment ?? {}).filter((it) => !isSetting(it)),
      name,
    ).toEqual([]);
  }
});

test('each process of the compose file has its own logins and no other, and believes its proxy’s network', () => {
  const { services, networks } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
    networks: Record<string, { ipam: { config: { subnet: string }[] } }>;
  };
  const loginsOf = (name: string) =>
    Object.entries(services[name]?.environment ?? {}).flatMap(([setting, value]) => {
      const [, which] = /^DATABASE_(?:(\w+)_)?URL$/.exec(setting) ?? [];
      const [, login = ''] = /^postgresql:\/\/(\w+):/.exec(value) ?? [];
      return setting.startsWith('DATABASE_') ? [`${which ?? ''} ${login}`] : [];
    });
  const ofVoters = ['API beacon_api_login', 'INTAKE beacon_intake_login'];
  expect(loginsOf('migrate')).toEqual([' beacon_owner']);
  expect(loginsOf('api')).toEqual(ofVoters);
  expect(loginsOf('console')).toEqual([...ofVoters, 'OFFICE beacon_office_login']);
  expect(loginsOf('worker')).toEqual(['WORKER beacon_worker_login']);
  for (const name of ['api', 'console', 'worker'])
    expect(services[name]?.depends_on, name).toEqual({
      migrate: { condition: 'service_completed_successfully' },
    });
  for (const name of ['api', 'console'])
    expect(services[name]?.environment?.TRUST_PROXY, name).toBe(
      networks.inside?.ipam.config[0]?.subnet,
    );
});

test('the image is made of the archive on a base that is given, and does not run as root', () => {
  const lines = read('Containerfile')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const known = /^(ARG|FROM|ADD|RUN|WORKDIR|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|CMD) \S/;
  expect(lines.filter((line) => !known.test(line))).toEqual([]);
  expect(lines.filter((line) => /^FROM (?!\$\{BASE_IMAGE\}$)/.test(line))).toEqual([]);
  expect(lines.filter((line) => line.startsWith('FROM'))).toHaveLength(1);
  expect(lines).toContain('ADD release/ballot-beacon-*.tar.gz /opt/');
  expect(lines.findLast((line) => line.startsWith('USER'))).toMatch(/^USER [1-9]\d*:[1-9]\d*$/);
  const command = JSON.parse(lines.at(-1)?.replace('CMD ', '') ?? '[]') as string[];
  expect(startsFile(command)).toBe(true);
  const variables = lines.find((line) => line.startsWith('ENV'))?.match(/[A-Z_]+(?==)/g) ?? [];
  expect(variables.filter((name) => !isSetting(name))).toEqual([]);
});
