// Longer than 300 lines: one table of rules, to be read from top to bottom.
/**
 * Who may import whom (ARCHITECTURE.md, The tree). Everything is written as patterns, so that a folder made
 * tomorrow is guarded on its first day; every rule has a violating case in `fixture.txt`.
 */

/** The parts of dependency-cruiser's rule format that these rules use. */
export interface ImportRule {
  readonly name: string;
  readonly severity: 'error';
  /** What to do instead; printed with each violation. */
  readonly comment: string;
  readonly from: { readonly path?: string; readonly pathNot?: string[] };
  readonly to: {
    readonly path?: string[];
    readonly pathNot?: string[];
    readonly circular?: true;
    readonly couldNotResolve?: boolean;
    readonly dependencyTypes?: 'core'[];
    readonly dependencyTypesNot?: ('core' | 'type-only')[];
  };
}

const test = '[.]test[.]tsx?$';
const declaration = '[.]d[.]ts$';
const installed = '(^|/)node_modules/';

const contract = '^contract/src/';
/** Buttons, fields, marks and the house look, without any words. */
const controls = '^web/src/ui/';
const door = '^server/src/modules/[^/]+/index[.]ts$';
const platform = '^server/src/platform/';
const testing = '^testing/';

/** A layer sees itself and what it lists, and nothing else of ours. `$1` is the first group of `files`. */
interface Layer {
  readonly name: string;
  readonly files: string;
  readonly sees: readonly string[];
  readonly comment: string;
}

const layers: readonly Layer[] = [
  {
    name: 'ui-knows-no-voter-words',
    files: '^web/src/ui/',
    sees: ['^web/src/ui/'],
    comment:
      'A control takes its words and values as props; what knows the voter goes to shell/ or a feature.',
  },
  {
    name: 'api-sees-only-contract',
    files: '^web/src/api/',
    sees: ['^web/src/api/', contract],
    comment:
      'The typed client turns calls of the contract into data; how data look is for the features.',
  },
  {
    name: 'shell-sees-api-and-ui',
    files: '^web/src/shell/',
    sees: ['^web/src/shell/', '^web/src/api/', '^web/src/ui/', contract],
    comment: 'The shell frames features without knowing them; app/ puts the two together.',
  },
  {
    name: 'features-blind-to-each-other',
    files: '^web/src/features/([^/]+)/',
    sees: ['^web/src/features/$1/', '^web/src/shell/', '^web/src/api/', '^web/src/ui/', contract],
    comment: 'What two features share belongs to shell/, api/ or ui/.',
  },
  {
    name: 'app-sees-only-web',
    files: '^web/src/app/',
    sees: ['^web/src/', contract],
    comment: 'The page reaches the server by HTTP and shares nothing with it but the contract.',
  },
  {
    name: 'web-build-sees-only-web',
    files: '^web/(?!src/)',
    // The gallery shows the invented voter of the tests, the messages and the figures.
    sees: [
      '^web/',
      '^testing/(own-messages|performance-figures|voter-information)[.]ts$',
      contract,
    ],
    comment: 'Building the page takes nothing from the server.',
  },
  {
    name: 'console-api-sees-only-contract',
    files: '^office/src/api/',
    sees: ['^office/src/api/', contract],
    comment:
      'The typed client turns calls of the contract into data; how data look is for screens.',
  },
  {
    name: 'console-shell-knows-no-screen',
    files: '^office/src/(shell|words)/',
    sees: ['^office/src/(shell|words|api)/', controls, contract],
    comment: 'What every screen of the console needs knows none of them; app/ puts them together.',
  },
  {
    name: 'console-screens-blind-to-each-other',
    files: '^office/src/screens/([^/]+)/',
    sees: ['^office/src/screens/$1/', '^office/src/(shell|words|api)/', controls, contract],
    comment: 'What two screens of the console share belongs to shell/ or words/.',
  },
  {
    name: 'console-sees-no-voter-page',
    files: '^office/',
    sees: ['^office/', controls, '^web/build/precompress[.]ts$', contract],
    comment:
      'The console has the controls of web/src/ui in common with the voters’ page, and no more.',
  },
  {
    name: 'platform-sees-no-modules',
    files: platform,
    sees: [platform, contract],
    comment: 'The platform knows no voters; pass what it needs as an argument.',
  },
  {
    name: 'modules-see-platform-contract-and-doors',
    files: '^server/src/modules/([^/]+)/',
    sees: ['^server/src/modules/$1/', door, platform, contract],
    comment: 'A module stands on platform, contract and the doors (index.ts) of other modules.',
  },
  {
    name: 'commands-see-doors',
    files: '^server/src/commands/',
    sees: ['^server/src/commands/', door, platform, contract],
    comment: 'A CLI verb calls module doors; logic that a route needs too goes into the module.',
  },
  {
    name: 'roots-see-commands-doors-and-platform',
    files: '^server/src/[^/]+[.]ts$',
    sees: ['^server/src/[^/]+[.]ts$', '^server/src/commands/', door, platform, contract],
    comment: 'Composition roots wire commands, module doors and platform together.',
  },
  {
    name: 'testing-sees-server-and-contract',
    files: testing,
    // The identity provider for trying out is also that of the tests.
    sees: [testing, '^server/src/', '^demo/', '^dev/local-provider/', contract],
    comment: 'Test support stands on the real server parts, not on the page or on single tests.',
  },
  {
    name: 'journeys-enter-by-the-front-door',
    files: '^e2e/',
    sees: ['^e2e/', testing, '^demo/cast[.]ts$', contract],
    comment:
      'A voter journey uses what a voter has: the page. What it must know beside that is in testing/.',
  },
  {
    name: 'benches-see-server-and-testing',
    files: '^bench/',
    sees: ['^bench/', testing, '^server/src/', '^demo/', contract],
    comment: 'A bench drives the server or the built page from outside.',
  },
  {
    name: 'chaos-sees-server-and-testing',
    files: '^chaos/',
    sees: ['^chaos/', testing, '^server/src/', contract],
    comment:
      'A chaos run kills processes of the server; it looks at them from outside, like a bench.',
  },
  {
    name: 'database-tools-see-testing',
    files: '^database/',
    sees: ['^database/', testing],
    comment: 'The schema is SQL; its tools need a database, and nothing of the product.',
  },
  {
    name: 'dev-sees-roots-and-web-build',
    files: '^dev/',
    sees: [
      '^dev/',
      '^server/src/[^/]+[.]ts$',
      '^server/src/platform/config[.]ts$',
      '^web/build/',
      contract,
    ],
    comment: 'A development run puts the server and the sources of the page together, and no more.',
  },
  {
    name: 'demo-sees-only-contract',
    files: '^demo/',
    sees: ['^demo/', contract],
    comment:
      'The demo county is made of files; they come in by the same import commands as any county.',
  },
];

/** One more sight for tests: their workspace as a whole, and the support in testing/ and demo/. */
const testLayers: readonly Layer[] = [
  {
    name: 'contract-tests-see-contract-and-testing',
    files: `${contract}.*${test}`,
    sees: [contract, testing],
    comment: 'A test of the contract needs neither side.',
  },
  {
    name: 'server-tests-see-no-page',
    files: `^server/src/.*${test}`,
    sees: ['^server/src/', contract, testing, '^demo/'],
    comment: 'A server test enters by HTTP, by the command line or by a module door.',
  },
  {
    name: 'web-tests-see-no-server',
    files: `^web/.*${test}`,
    sees: ['^web/', contract, testing, '^locales/'],
    comment: 'A page test that needs the server is a journey: e2e/.',
  },
];

function toRule(layer: Layer, exempt: string[]): ImportRule {
  return {
    name: layer.name,
    severity: 'error',
    comment: layer.comment,
    from: { path: layer.files, pathNot: exempt },
    to: {
      pathNot: [...layer.sees, installed],
      couldNotResolve: false,
      dependencyTypesNot: ['core'],
    },
  };
}

function onlyIn(name: string, packages: string, places: string[], comment: string): ImportRule {
  return {
    name,
    severity: 'error',
    comment,
    from: { pathNot: places },
    to: { path: [`${installed}(${packages})/`] },
  };
}

export const importRules: readonly ImportRule[] = [
  {
    name: 'no-circle',
    severity: 'error',
    comment: 'Move what both need into a third file, or turn one direction into an argument.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'no-unresolvable-import',
    severity: 'error',
    comment: 'The file or package does not exist; write the path with its .ts ending.',
    from: { pathNot: [declaration] },
    // Modules that the build of the page makes up have no file.
    to: { pathNot: ['^virtual:'], couldNotResolve: true },
  },
  {
    name: 'every-file-in-a-layer',
    severity: 'error',
    comment:
      'Source lives in a folder of the tree in ARCHITECTURE.md; a folder outside it is guarded by nothing.',
    from: {},
    to: {
      path: [
        '^web/src/(?!(app|shell|features/[^/]+|api|ui)/)',
        '^office/src/(?!(app|shell|screens/[^/]+|api|words)/)',
        '^server/src/(?!(commands|platform|modules/[^/]+)/|[^/]+[.]ts$)',
        '^contract/(?!src/)',
      ],
      pathNot: [declaration, '[.]json$', installed],
    },
  },
  ...layers.map((layer) => toRule(layer, [`^(contract|server|web)/.*${test}`])),
  ...testLayers.map((layer) => toRule(layer, [])),
  {
    name: 'modules-by-their-door',
    severity: 'error',
    comment: 'Import the index.ts of the module; if it lacks something, add it there.',
    from: { pathNot: ['^server/src/modules/'] },
    to: { path: ['^server/src/modules/'], pathNot: [door] },
  },
  {
    name: 'tests-keep-to-their-module',
    severity: 'error',
    comment: 'Even a test reaches another module by its index.ts.',
    from: { path: `^server/src/modules/([^/]+)/.*${test}` },
    to: { path: ['^server/src/modules/'], pathNot: ['^server/src/modules/$1/', door] },
  },
  {
    name: 'rules-are-pure',
    severity: 'error',
    comment:
      'rules.ts decides on values it is given; reading and writing are for store.ts and routes.ts.',
    from: { path: '^server/src/modules/.*/rules[.]ts$' },
    to: {
      path: [
        '/(store|routes)[.]ts$',
        platform,
        `${installed}(fastify|pg|kysely|nodemailer|graphile-worker)/`,
        '^(node:)?(fs|tls|http|https|http2|dns|dgram|child_process|worker_threads)(/|$)',
      ],
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'no-test-in-the-product',
    severity: 'error',
    comment: 'Support that several tests share goes to testing/.',
    from: {},
    to: { path: [test] },
  },
  onlyIn(
    'sql-only-in-stores',
    'pg|pg-[^/]+|kysely',
    ['^server/src/modules/.+[/-]store[.]ts$', platform, testing],
    'All SQL of a module is in its store.ts; types of the database come from platform/.',
  ),
  onlyIn(
    'vite-only-in-web-build',
    'vite|@vitejs/[^/]+',
    ['^(web|office)/(?!src/)'],
    'The product serves built files; Vite belongs to the build and to npm run dev.',
  ),
  onlyIn(
    'providers-only-in-channels',
    'nodemailer|twilio|@sendgrid/[^/]+|@aws-sdk/[^/]+|@azure/communication-[^/]+|mailgun[^/]*|postmark|plivo|telnyx|@vonage/[^/]+|messagebird',
    ['^server/src/modules/notifications/channels/'],
    'A provider is known to its channel alone, so that it can be replaced there.',
  ),
  onlyIn(
    'xstate-only-in-machines',
    'xstate|@xstate/[^/]+',
    ['[.]machine([.]test)?[.]ts$', '^web/src/ui/use-machine[.]ts$'],
    'Describe states in NAME.machine.ts; screens bind them by ui/use-machine.ts.',
  ),
  {
    name: 'contract-imports-only-zod-mini',
    severity: 'error',
    comment:
      'The contract runs in the browser and on the server alike; its one library is zod/mini.',
    from: { path: contract, pathNot: [test] },
    to: { pathNot: [contract, `${installed}zod/mini/`] },
  },
  {
    name: 'page-uses-zod-mini',
    severity: 'error',
    comment: 'Import zod/mini: full zod adds 21 kB to the first load.',
    from: { path: '^(web|office)/src/', pathNot: [test] },
    to: { path: [`${installed}zod/`], pathNot: [`${installed}zod/(v4/)?mini/`] },
  },
  {
    name: 'page-runs-in-a-browser',
    severity: 'error',
    comment: 'No module of Node exists in a browser.',
    from: { path: '^(web|office)/src/', pathNot: [test] },
    to: { dependencyTypes: ['core'] },
  },
];
