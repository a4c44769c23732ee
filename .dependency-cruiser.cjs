/**
 * Who may import whom. The sentences are shown when a rule is broken.
 *
 * Type-only imports count as well, because knowing a neighbour's type is knowing the neighbour.
 */

const tests = '\\.test\\.tsx?$|/testing/|/testing\\.ts$'
const apps = '^apps/([^/]+)/'
const feature = '^apps/([^/]+)/src/features/([^/]+)/'

/** Folders of the gateway, and which of the others each may import; the signer has rules of its own. */
const gatewayLayers = [
  ['core', []],
  ['chain', ['core']],
  ['ingest', ['core', 'chain']],
  ['outgoing', ['core', 'chain', 'signer']],
  ['custody', ['core', 'chain', 'outgoing']],
]

const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

module.exports = {
  forbidden: [
    rule('no-circles', 'Two files that need each other are one thing or three.', {}, { circular: true }),
    rule('resolvable', 'The import leads nowhere.', {}, { couldNotResolve: true }),
    rule(
      'nothing-imports-tests',
      'What ships never imports a test or its tools.',
      {
        pathNot: [
          tests,
          '^(tools|e2e|bench|simulation)/',
          '^vitest\\.config',
          '^playwright\\.config',
          '/cli/',
        ],
      },
      { path: tests },
    ),
    rule(
      'shipped-needs-no-dev-dependency',
      'What ships runs with its dependencies alone.',
      { path: '^(apps|packages|db)/[^/]+/?.*src/', pathNot: [tests, '/cli/', '\\.d\\.ts$'] },
      {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only', 'npm', 'npm-optional'],
        pathNot: '@types/',
      },
    ),

    // Packages
    rule(
      'money-needs-nothing',
      'Money stands on nothing of ours.',
      { path: '^packages/money/', pathNot: tests },
      { path: '.', pathNot: '^packages/money/' },
    ),
    rule(
      'packages-need-only-money-and-contract',
      'Rules stand on money, and on the contract where they parse.',
      { path: '^packages/([^/]+)/' },
      {
        path: '^(packages|db|tools|bench|simulation|e2e)/',
        pathNot: ['^packages/$1/', '^packages/(money|contract)/'],
      },
    ),
    rule(
      'contract-needs-only-money',
      'The contract describes; it knows no rule.',
      { path: '^packages/contract/' },
      { path: '^packages/', pathNot: '^packages/(contract|money)/' },
    ),
    rule(
      'packages-never-import-apps',
      'Apps depend on packages, not the other way.',
      { path: '^(packages|db)/' },
      { path: '^apps/' },
    ),
    rule(
      'apps-never-import-each-other',
      'Apps meet on the wire and in the database; tests may start a development chain.',
      { path: apps, pathNot: tests },
      { path: '^apps/', pathNot: '^apps/$1/' },
    ),
    rule(
      'tests-start-only-the-development-chain',
      'Of other apps, a test needs no more than that, and the auditor, without whose word no run is released.',
      { path: apps },
      { path: '^apps/', pathNot: ['^apps/$1/', '^apps/devnet/', '^apps/auditor/'] },
    ),
    rule(
      'only-tools-import-tools',
      'Tools work on the product; it does not know them.',
      { path: '^(apps|packages|db)/', pathNot: '^apps/web/(shots|bench)/' },
      { path: '^(tools|bench|simulation|e2e)/' },
    ),
    rule(
      'web-knows-no-database',
      'The browser has no database and no node.',
      { path: '^apps/web/src/', pathNot: tests },
      { path: ['^db/', '^packages/tron/'] },
    ),

    // Layers of a feature
    rule(
      'rules-are-pure',
      'A rule knows packages and rules: no clock, database, environment or network.',
      { path: '\\.rules\\.ts$' },
      {
        path: '.',
        pathNot: [
          '^packages/',
          '\\.rules\\.ts$',
          '(^|/)node_modules/(zod|temporal-polyfill|tlds|unhomoglyph|@noble|@scure)/',
        ],
      },
    ),
    rule(
      'sql-knows-the-database-only',
      'SQL files know packages, rules and the database.',
      { path: '\\.sql\\.ts$' },
      {
        path: '^(apps|tools|bench|simulation|e2e)/',
        pathNot: ['\\.sql\\.ts$', '\\.rules\\.ts$', '^apps/[^/]+/src/core/'],
      },
    ),
    rule(
      'sql-is-its-features-own',
      'Tables of another feature are reached through its commands and queries.',
      { path: feature, pathNot: tests },
      { path: '/features/.+\\.sql\\.ts$', pathNot: '^apps/$1/src/features/$2/' },
    ),
    rule(
      'sql-is-not-passed-on',
      'A table is read through its feature: no other layer exports its SQL again.',
      { pathNot: ['\\.sql\\.ts$', tests] },
      { path: '\\.sql\\.ts$', dependencyTypes: ['export'] },
    ),
    rule(
      'http-knows-no-feature',
      'What every call shares is given what it needs of a feature.',
      { path: '^apps/server/src/http/', pathNot: tests },
      { path: '^apps/server/src/(features|ledger)/' },
    ),
    rule(
      'commands-know-no-http',
      'A command runs for a route, a job or a test alike.',
      { path: '\\.commands\\.ts$' },
      { path: ['\\.(routes|jobs)\\.ts$', '(^|/)node_modules/fastify'] },
    ),
    rule(
      'routes-and-jobs-run-commands',
      'A route parses, authorises, runs a command, presents.',
      { path: '\\.(routes|jobs)\\.ts$' },
      {
        path: [
          '\\.sql\\.ts$',
          '\\.routes\\.ts$',
          '^db/',
          '(^|/)node_modules/(pg|kysely)/',
          '^apps/[^/]+/src/ledger/',
        ],
      },
    ),
    rule(
      'presenters-only-present',
      'A presenter turns what a command found into what travels.',
      { path: '\\.presenter\\.ts$' },
      { path: ['\\.(sql|routes|jobs)\\.ts$', '^db/', '(^|/)node_modules/(pg|kysely)/'] },
    ),
    rule(
      'postings-are-written-by-the-ledger',
      "The ledger's own SQL is used by the ledger alone.",
      { path: '^apps/server/src/', pathNot: '^apps/server/src/ledger/' },
      { path: '^apps/server/src/ledger/.*\\.sql\\.ts$' },
    ),
    rule(
      'pictures-are-decoded-apart',
      'A decoder of strangers’ pictures runs in a process of its own.',
      { path: '^apps/', pathNot: ['^apps/server/src/pictures/', tests] },
      { path: '((^|/)node_modules/|^)(sharp|@img)(/|$)' },
    ),
    rule(
      'keys-stay-in-the-gateway',
      'The signer is reached by the gateway alone; a simulation has one of the development chain.',
      { pathNot: ['^apps/gateway/', '^simulation/'] },
      { path: '^apps/gateway/src/signer/' },
    ),
    rule(
      'the-signer-is-behind-its-socket',
      'The gateway knows how to ask for a signature, and nothing of how one is made.',
      { path: '^apps/gateway/src/', pathNot: ['^apps/gateway/src/signer/', tests] },
      { path: '^apps/gateway/src/signer/', pathNot: '^apps/gateway/src/signer/(socket|offline-files)\\.ts$' },
    ),
    ...gatewayLayers.map(([folder, below]) =>
      rule(
        `gateway-${folder}-points-down`,
        `In the gateway, ${folder}/ imports ${below.join(', ') || 'nothing'}, and nothing above it.`,
        { path: `^apps/gateway/src/${folder}/`, pathNot: tests },
        { path: '^apps/gateway/src/', pathNot: `^apps/gateway/src/(${[folder, ...below].join('|')})/` },
      ),
    ),
    rule(
      'keys-have-one-reader',
      'No way leads to the key file but from the signer and from the command that makes such files.',
      {
        pathNot: [
          '^apps/gateway/src/signer/(main|signer|rounds)\\.ts$',
          '^apps/gateway/src/signer/(keys|cli)/',
          '^simulation/',
          tests,
        ],
      },
      { path: '^apps/gateway/src/signer/keys/', reachable: true },
    ),
    rule(
      'the-signer-needs-little',
      'Whatever the signer loads could read the key: it stands on the chain package and the way to the database.',
      { path: '^apps/gateway/src/signer/', pathNot: tests },
      {
        path: '.',
        pathNot: [
          '^apps/gateway/src/(signer|core)/',
          '^packages/(tron|money|approvals)/',
          '^db/src/(connect|audit-chain|audit-seals|encrypted)\\.ts$',
          '(^|/)node_modules/(kysely|zod)/',
          '^(node:)?[a-z_]+(/promises)?$',
        ],
      },
    ),

    // Web
    rule(
      'web-features-are-apart',
      'Only app/ composes features.',
      { path: '^apps/web/src/features/([^/]+)/' },
      { path: '^apps/web/src/(features|console|app)/', pathNot: '^apps/web/src/features/$1/' },
    ),
    rule(
      'console-nouns-are-apart',
      'Only app/ composes what operators see; what its nouns have in common lies in console/shared.',
      { path: '^apps/web/src/console/([^/]+)/' },
      { path: '^apps/web/src/(features|console|app)/', pathNot: '^apps/web/src/console/($1|shared)/' },
    ),
    rule(
      'the-approvals-page-needs-little',
      'What an operator sees is what is signed: the page stands on React and on the hash of the list.',
      { path: '^apps/approvals/page/', pathNot: tests },
      {
        path: '.',
        pathNot: [
          '^apps/approvals/page/',
          '^packages/(approvals|look)/',
          '(^|/)node_modules/(react|react-dom|scheduler)/',
        ],
      },
    ),
    rule(
      'ui-knows-no-feature',
      'Parts of the interface serve every feature alike.',
      { path: '^apps/web/src/ui/' },
      { path: '^apps/web/src/(features|console|app)/' },
    ),
    rule(
      'web-api-knows-no-screen',
      'The client of the server knows no screen.',
      { path: '^apps/web/src/api/' },
      { path: '^apps/web/src/(features|console|app|ui)/' },
    ),
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    // What we built, and not the code of packages, many of which lie in a `dist` folder: rules that name packages have to see them.
    exclude: { path: '^(?!.*node_modules/).*dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.css'],
    },
  },
}
